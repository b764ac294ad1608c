import { payments } from '../../src/api/operations/payments.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { string } from '../../src/cli/parse/options.ts'
import { sendPages } from '../../src/cli/request/call.ts'
import { attemptParams, SESSION_FILTERS } from '../../src/cli/sessions/attempt-params.ts'

export default class PaymentsAttempts extends BaseCommand {
  static override summary = payments.list.summary
  static override description = 'One row for each try, with why it failed.'
  static override flags = {
    session: string({ description: 'Only attempts of this payment or checkout session.' }),
    ...flagsOf(payments.list.params, { omit: SESSION_FILTERS }),
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %> --session py_sess_4bT9…',
    '<%= config.bin %> <%= command.id %> --invoice in_4bT9… --json',
    "<%= config.bin %> <%= command.id %> --customer cus_4bT9… --status failed --field 'data[].decline_code'",
  ]

  override async run(): Promise<void> {
    const { flags } = await this.given()
    const params = attemptParams(flags)
    this.print(await sendPages(payments.list, params, { flags, client: this.client() }))
  }
}

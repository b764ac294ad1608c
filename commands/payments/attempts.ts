import { payments } from '../../src/api/operations/payments.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { string } from '../../src/cli/parse/options.ts'
import { sendPages } from '../../src/cli/request/call.ts'
import { attemptParams, SESSION_FILTERS } from '../../src/cli/sessions/attempt-params.ts'

export default class PaymentsAttempts extends BaseCommand {
  static override summary = 'List charge attempts, newest first'
  static override description = 'Prints one row per charge attempt, with the reason of each failure.'
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
    const { flags } = await this.readInput()
    const params = attemptParams(flags)
    this.print(await sendPages(payments.list, params, flags, this.client()))
  }
}

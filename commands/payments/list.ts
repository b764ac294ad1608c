import { payments } from '../../src/api/operations/payments.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { string } from '../../src/cli/parse/options.ts'
import { sendPages } from '../../src/cli/request/call.ts'
import { paymentFilters, SESSION_FILTERS } from '../../src/cli/sessions/payment-filters.ts'

export default class PaymentsList extends BaseCommand {
  static override summary = 'List payments, newest first'
  static override description =
    'A payment is one attempt to charge a card. A failed one shows its reason. The pages on which customers pay are sessions: paycli payment-sessions list, paycli checkout list.'
  static override aliases = ['payments:ls', 'payments:attempts']
  static override flags = {
    session: string({ description: 'Only payments of this payment or checkout session.', helpValue: '<id>' }),
    ...flagsOf(payments.list.params, { omit: SESSION_FILTERS }),
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %> --status failed --limit 5',
    '<%= config.bin %> <%= command.id %> --session py_sess_4bT9…',
    '<%= config.bin %> <%= command.id %> --invoice in_4bT9… --json',
    "<%= config.bin %> <%= command.id %> --customer cus_4bT9… --status failed --field 'data[].decline_code'",
  ]

  override async run(): Promise<void> {
    const { flags } = await this.readInput()
    const params = paymentFilters(flags)
    this.print(await sendPages(payments.list, params, flags, this.client()))
  }
}

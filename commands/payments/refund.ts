import { toExamples } from '../../src/cli/command/base-command.ts'
import { RefundCommand } from '../../src/cli/command/refund-command.ts'
import { textArg } from '../../src/cli/parse/flag-builders.ts'

export default class PaymentsRefund extends RefundCommand {
  static override summary = 'Refund a succeeded payment, in part or in full'
  static override description =
    'Refunds the rest of the payment, or --amount of it. Same as paycli refunds create --payment <id>.'
  static override args = {
    id: textArg({ description: 'Payment, or the session or invoice that it paid.', required: true }),
  }
  static override examples = toExamples([
    'py_4bT9…',
    'py_4bT9… --amount 500 --reason requested_by_customer',
    'in_4bT9… --metadata ticket=81 --field id',
  ])

  override async run(): Promise<void> {
    const { id, flags } = await this.readInput()
    await this.createRefund(flags, { payment: id })
  }
}

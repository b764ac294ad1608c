import { toExamples } from '../../src/cli/command/base-command.ts'
import { RefundCommand } from '../../src/cli/command/refund-command.ts'
import { string } from '../../src/cli/parse/flag-builders.ts'

export default class RefundsCreate extends RefundCommand {
  static override summary = 'Refund a succeeded payment, in part or in full'
  static override flags = {
    payment: string({
      description: '(required) Payment to refund, or the session or invoice that it paid.',
      helpValue: '<id>',
    }),
    ...RefundCommand.flags,
  }
  static override examples = toExamples([
    '--payment py_4bT9…',
    '--payment py_sess_4bT9… --amount 500 --reason requested_by_customer',
    '--payment in_4bT9… --metadata ticket=81 --field id',
  ])

  override async run(): Promise<void> {
    const { flags } = await this.readInput()
    await this.createRefund(flags, {})
  }
}

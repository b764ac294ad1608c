import { refunds } from '../../src/api/operations/refunds.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { summarizeRefund } from '../../src/cli/output/result-summary.ts'
import { createFlags } from '../../src/cli/parse/change-flags.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { string } from '../../src/cli/parse/options.ts'
import { paramsFromFlags, requireParams } from '../../src/cli/parse/params.ts'
import { readBodyFlags } from '../../src/cli/request/call.ts'
import { findRefundedPayment } from '../../src/cli/sessions/refunded-payment.ts'

const { create } = refunds

export default class RefundsCreate extends BaseCommand {
  static override summary = 'Refund a succeeded payment, in part or in full'
  static override flags = {
    ...flagsOf(create.params),
    payment: string({
      description: '(required) Payment to refund, or the session or invoice that it paid.',
      helpValue: '<id>',
    }),
    ...createFlags,
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %> --payment py_4bT9…',
    '<%= config.bin %> <%= command.id %> --payment py_sess_4bT9… --amount 500 --reason requested_by_customer',
    '<%= config.bin %> <%= command.id %> --payment in_4bT9… --metadata ticket=81 --field id',
  ]

  override async run(): Promise<void> {
    const { flags } = await this.readInput()
    const flagParams = paramsFromFlags(create.params, flags)
    const params = { ...(await readBodyFlags(create, flags, flagParams)), ...flagParams }
    requireParams(create.params, params)
    const client = this.client()
    const payment = await findRefundedPayment(client, String(params.payment))
    const refund = await client.call(create, { ...params, payment })
    this.print(refund, () => summarizeRefund(refund))
  }
}

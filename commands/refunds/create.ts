import { refunds } from '../../src/api/operations/refunds.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { refundOutcome } from '../../src/cli/output/result-summary.ts'
import { createFlags } from '../../src/cli/parse/create-flags.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { string } from '../../src/cli/parse/options.ts'
import { paramsFromFlags, requireParams } from '../../src/cli/parse/params.ts'
import { bodyOf } from '../../src/cli/request/call.ts'
import { paymentBehind } from '../../src/cli/sessions/refunded-payment.ts'

const { create } = refunds

export default class RefundsCreate extends BaseCommand {
  static override summary = create.summary
  static override flags = {
    ...flagsOf(create.params),
    payment: string({
      description: '(required) The payment to give back, or the session or the invoice that it paid.',
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
    const { flags } = await this.given()
    const spoken = paramsFromFlags(create.params, flags)
    const params = { ...(await bodyOf(create, flags, spoken)), ...spoken }
    requireParams(create.params, params)
    const client = this.client()
    const payment = await paymentBehind(client, String(params.payment))
    const refund = await client.call(create, { ...params, payment })
    this.print(refund, () => refundOutcome(refund))
  }
}

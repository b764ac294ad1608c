import type { FlagInput } from '@oclif/core/interfaces'
import { refunds } from '../../src/api/operations/refunds.ts'
import { BaseCommand, toExamples } from '../../src/cli/command/base-command.ts'
import { string } from '../../src/cli/parse/flag-builders.ts'
import { createParamFlags } from '../../src/cli/parse/flags.ts'
import { objectCreationFlags } from '../../src/cli/parse/mutation-flags.ts'
import { getParamsFromFlags, requireParams } from '../../src/cli/parse/params.ts'
import { readFileAndDataParams } from '../../src/cli/request/call.ts'
import { findPaymentToRefund } from '../../src/cli/sessions/payment-to-refund.ts'
import { summarizeRefund } from '../../src/cli/views/result-summary.ts'

const { create } = refunds

export default class RefundsCreate extends BaseCommand {
  static override summary = 'Refund a succeeded payment, in part or in full'
  static override flags: FlagInput = {
    payment: string({
      description: '(required) Payment to refund, or the session or invoice of the payment.',
      helpValue: '<id>',
    }),
    ...createParamFlags(create.params, { omit: ['payment'] }),
    ...objectCreationFlags,
  }
  static override examples = toExamples([
    '--payment py_4bT9…',
    '--payment py_sess_4bT9… --amount 500 --reason requested_by_customer',
    '--payment in_4bT9… --metadata ticket=81 --field id',
  ])

  override async run(): Promise<void> {
    const { flags } = await this.readInput()
    const flagParams = getParamsFromFlags(create.params, flags)
    const params = { ...(await readFileAndDataParams(create, flags, flagParams)), ...flagParams }
    requireParams(create.params, params)
    const client = this.client()
    const payment = await findPaymentToRefund(client, String(params.payment))
    const refund = await client.call(create, { ...params, payment })
    this.print(refund, () => summarizeRefund(refund))
  }
}

import { toExamples } from '../../src/cli/command/base-command.ts'
import { textArg } from '../../src/cli/parse/flag-builders.ts'
import type { CommandInput } from '../../src/cli/request/call.ts'
import RefundsCreate from '../refunds/create.ts'

const { payment, ...flags } = RefundsCreate.flags

export default class PaymentsRefund extends RefundsCreate {
  static override description =
    'Refunds the rest of the payment, or --amount of it. Same as paycli refunds create --payment <id>.'
  static override args = {
    id: textArg({ description: 'Payment, or the session or invoice of the payment.', required: true }),
  }
  static override flags = flags
  static override examples = toExamples([
    'py_4bT9…',
    'py_4bT9… --amount 500 --reason requested_by_customer',
    'in_4bT9… --metadata ticket=81 --field id',
  ])

  protected override async readInput(words?: readonly string[]): Promise<CommandInput> {
    const input = await super.readInput(words)
    return { ...input, flags: { ...input.flags, payment: input.id } }
  }
}

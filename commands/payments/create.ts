import { paymentSessions } from '../../src/api/operations/payment-sessions.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { createFlags } from '../../src/cli/parse/change-flags.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { manifestCall } from '../../src/cli/request/call.ts'
import { followFlags } from '../../src/cli/sessions/session-wait.ts'

const { create } = paymentSessions

export default class PaymentsCreate extends BaseCommand {
  static override call = manifestCall(create)
  static override summary = 'Create a payment session for one payment'
  static override flags = {
    ...flagsOf(create.params, { optional: ['payment_method_types'] }),
    ...createFlags,
    ...followFlags,
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %> --customer cus_4bT9… --amount 1000 --currency eur --return-url https://example.com/return',
    '<%= config.bin %> <%= command.id %> --from-file session.json --customer cus_4bT9… --field url',
    '<%= config.bin %> <%= command.id %> --from-file session.json --open --wait --max-wait 10m --json',
  ]
}

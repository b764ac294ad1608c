import { paymentSessions } from '../../src/api/payment-sessions.ts'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { callOf } from '../../src/cli/call.ts'
import { createFlags } from '../../src/cli/create-flags.ts'
import { flagsOf } from '../../src/cli/flags.ts'
import { followFlags } from '../../src/cli/session-end.ts'

const { create } = paymentSessions

export default class PaymentsCreate extends BaseCommand {
  static override call = callOf(create)
  static override summary = create.summary
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

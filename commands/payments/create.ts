import { paymentSessions } from '../../src/api/operations/payment-sessions.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { createFlags } from '../../src/cli/parse/create-flags.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { callOf } from '../../src/cli/request/call.ts'
import { followFlags } from '../../src/cli/sessions/session-end.ts'

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

import { paymentSessions } from '../../src/api/operations/payment-sessions.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class PaymentsList extends BaseCommand {
  static override call = manifestCall(paymentSessions.list)
  static override summary = 'List payment sessions, newest first'
  static override aliases = ['payments:ls']
  static override flags = flagsOf(paymentSessions.list.params)
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --status complete --limit 100',
    '<%= config.bin %> <%= command.id %> --customer cus_4bT9… --json',
  ]
}

import { paymentSessions } from '../../src/api/operations/payment-sessions.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class PaymentSessionsList extends operationCommand(paymentSessions.list) {
  static override summary = 'List payment sessions, newest first'
  static override aliases = ['payment-sessions:ls']
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --status complete --limit 100',
    '<%= config.bin %> <%= command.id %> --customer cus_4bT9… --json',
  ]
}

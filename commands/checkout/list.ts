import { checkoutSessions } from '../../src/api/operations/checkout-sessions.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class CheckoutList extends operationCommand(checkoutSessions.list) {
  static override summary = 'List checkout sessions, newest first'
  static override aliases = ['checkout:ls']
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --status open',
    '<%= config.bin %> <%= command.id %> --customer cus_4bT9… --json',
  ]
}

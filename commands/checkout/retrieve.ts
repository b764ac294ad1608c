import { checkoutSessions } from '../../src/api/operations/checkout-sessions.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class CheckoutRetrieve extends operationCommand(checkoutSessions.retrieve, 'cks_4bT9…') {
  static override summary = 'Retrieve a checkout session'
  static override aliases = ['checkout:get']
  static override examples = [
    '<%= config.bin %> <%= command.id %> cks_4bT9…',
    '<%= config.bin %> <%= command.id %> cks_4bT9… --json',
    '<%= config.bin %> <%= command.id %> cks_4bT9… --field id',
  ]
}

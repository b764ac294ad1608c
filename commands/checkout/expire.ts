import { checkoutSessions } from '../../src/api/operations/checkout-sessions.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class CheckoutExpire extends operationCommand(checkoutSessions.expire, 'cks_4bT9…') {
  static override summary = 'Expire an open checkout session'
  static override examples = ['<%= config.bin %> <%= command.id %> cks_4bT9…']
}

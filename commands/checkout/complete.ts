import { checkoutSessions } from '../../src/api/operations/checkout-sessions.ts'
import { completeCommand } from '../../src/cli/command/session-command.ts'

export default completeCommand('checkout_sessions', checkoutSessions)

import { checkoutSessions } from '../../src/api/operations/checkout-sessions.ts'
import { sessionCompleteCommand } from '../../src/cli/command/session-commands.ts'

export default sessionCompleteCommand('checkout_sessions', checkoutSessions)

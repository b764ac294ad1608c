import { checkoutSessions } from '../../src/api/operations/checkout-sessions.ts'
import { defineSessionCompleteCommand } from '../../src/cli/command/session-commands.ts'

export default defineSessionCompleteCommand('checkout_sessions', checkoutSessions)

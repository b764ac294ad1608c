import { paymentSessions } from '../../src/api/operations/payment-sessions.ts'
import { sessionCompleteCommand } from '../../src/cli/command/session-commands.ts'

export default sessionCompleteCommand('payment_sessions', paymentSessions, ['payments:complete'])

import { paymentSessions } from '../../src/api/operations/payment-sessions.ts'
import { completeCommand } from '../../src/cli/command/session-command.ts'

export default completeCommand('payment_sessions', paymentSessions, ['payments:complete'])

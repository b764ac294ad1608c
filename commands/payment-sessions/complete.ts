import { paymentSessions } from '../../src/api/operations/payment-sessions.ts'
import { defineSessionCompleteCommand } from '../../src/cli/command/session-commands.ts'

export default defineSessionCompleteCommand('payment_sessions', paymentSessions, ['payments:complete'])

import { paymentSessions } from '../../src/api/operations/payment-sessions.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(paymentSessions.expire, {
  summary: 'Expire an open payment session',
  aliases: ['payments:expire'],
})

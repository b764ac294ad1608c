import { paymentSessions } from '../../src/api/operations/payment-sessions.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(paymentSessions.expire, {
  summary: 'Expire an open payment session',
  aliases: ['payments:expire'],
})

import { paymentSessions } from '../../src/api/operations/payment-sessions.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(paymentSessions.list, {
  summary: 'List payment sessions, newest first',
  examples: ['', '--status complete --limit 100', '--customer cus_4bT9… --json'],
})

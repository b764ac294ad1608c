import { checkoutSessions } from '../../src/api/operations/checkout-sessions.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(checkoutSessions.list, {
  summary: 'List checkout sessions, newest first',
  examples: ['', '--status open', '--customer cus_4bT9… --json'],
})

import { checkoutSessions } from '../../src/api/operations/checkout-sessions.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(checkoutSessions.list, {
  summary: 'List checkout sessions, newest first',
  examples: ['', '--status open', '--customer cus_4bT9… --json'],
})

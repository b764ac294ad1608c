import { checkoutSessions } from '../../src/api/operations/checkout-sessions.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(checkoutSessions.retrieve, {
  summary: 'Retrieve a checkout session',
  examples: ['cks_4bT9…', 'cks_4bT9… --json', 'cks_4bT9… --field id'],
})

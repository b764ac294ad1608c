import { checkoutSessions } from '../../src/api/operations/checkout-sessions.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(checkoutSessions.retrieve, {
  summary: 'Retrieve a checkout session',
  examples: ['cks_4bT9…', 'cks_4bT9… --json', 'cks_4bT9… --field id'],
})

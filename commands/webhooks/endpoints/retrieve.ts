import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { defineOperationCommand } from '../../../src/cli/command/operation-command.ts'

export default defineOperationCommand(webhookEndpoints.retrieve, {
  summary: 'Retrieve a webhook endpoint without its secret',
  examples: ['we_4bT9…', 'we_4bT9… --json', 'we_4bT9… --field id'],
})

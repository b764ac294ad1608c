import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { operationCommand } from '../../../src/cli/command/operation-command.ts'

export default operationCommand(webhookEndpoints.retrieve, {
  summary: 'Retrieve a webhook endpoint without its secret',
  examples: ['we_4bT9…', 'we_4bT9… --json', 'we_4bT9… --field id'],
})

import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { operationCommand } from '../../../src/cli/command/operation-command.ts'

export default operationCommand(webhookEndpoints.health, {
  summary: 'Count the delivery attempts of the last 24 hours',
  examples: ['we_4bT9…', 'we_4bT9… --field failed'],
})

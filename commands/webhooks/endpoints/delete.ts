import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { operationCommand } from '../../../src/cli/command/operation-command.ts'

export default operationCommand(webhookEndpoints.delete, {
  summary: 'Delete a webhook endpoint and its pending deliveries',
})

import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { defineOperationCommand } from '../../../src/cli/command/operation-command.ts'

export default defineOperationCommand(webhookEndpoints.delete, {
  summary: 'Delete a webhook endpoint and its pending deliveries',
})

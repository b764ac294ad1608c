import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { operationCommand } from '../../../src/cli/command/operation-command.ts'

export default class WebhooksEndpointsDelete extends operationCommand(webhookEndpoints.delete, 'we_4bT9…') {
  static override summary = 'Delete a webhook endpoint and its pending deliveries'
  static override aliases = ['webhooks:endpoints:rm']
  static override examples = ['<%= config.bin %> <%= command.id %> we_4bT9…']
}

import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { operationCommand } from '../../../src/cli/command/operation-command.ts'

export default class WebhooksEndpointsCreate extends operationCommand(webhookEndpoints.create) {
  static override summary = 'Create a webhook endpoint and print its secret once'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --url http://localhost:3000/webhooks',
    "<%= config.bin %> <%= command.id %> --url http://localhost:3000/webhooks --enabled-events 'invoice.*,payment.*'",
    '<%= config.bin %> <%= command.id %> --url http://localhost:3000/webhooks --field secret',
  ]
}

import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { endpointCommand } from '../../../src/cli/command/endpoint-command.ts'

export default class WebhooksEndpointsCreate extends endpointCommand(webhookEndpoints.create) {
  static override summary = 'Create a webhook endpoint and print its secret once'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --url 3000/webhooks',
    "<%= config.bin %> <%= command.id %> --url https://shop.example/webhooks --enabled-events 'invoice.*,payment.*'",
    '<%= config.bin %> <%= command.id %> --url 3000/webhooks --field secret',
  ]
}

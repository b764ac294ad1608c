import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { defineEndpointUrlCommand } from '../../../src/cli/command/endpoint-url-command.ts'

export default defineEndpointUrlCommand(webhookEndpoints.create, {
  summary: 'Create a webhook endpoint and print its secret once',
  examples: [
    '--url 3000/webhooks',
    "--url https://shop.example/webhooks --enabled-events 'invoice.*,payment.*'",
    '--url 3000/webhooks --field secret',
  ],
})

import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { defineEndpointUrlCommand } from '../../../src/cli/command/endpoint-url-command.ts'

export default defineEndpointUrlCommand(webhookEndpoints.update, {
  summary: 'Update a webhook endpoint',
  examples: ["we_4bT9… --enabled-events 'invoice.*,payment.*'", 'we_4bT9… --status disabled'],
})

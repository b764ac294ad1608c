import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { endpointCommand } from '../../../src/cli/command/endpoint-command.ts'

export default endpointCommand(webhookEndpoints.update, {
  summary: 'Update a webhook endpoint',
  examples: ["we_4bT9… --enabled-events 'invoice.*,payment.*'", 'we_4bT9… --status disabled'],
})

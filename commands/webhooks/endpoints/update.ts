import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { endpointCommand } from '../../../src/cli/command/endpoint-command.ts'

export default class WebhooksEndpointsUpdate extends endpointCommand(webhookEndpoints.update, 'we_4bT9…') {
  static override summary = 'Update a webhook endpoint'
  static override examples = [
    "<%= config.bin %> <%= command.id %> we_4bT9… --enabled-events 'invoice.*,payment.*'",
    '<%= config.bin %> <%= command.id %> we_4bT9… --status disabled',
  ]
}

import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { operationCommand } from '../../../src/cli/command/operation-command.ts'

export default class WebhooksEndpointsList extends operationCommand(webhookEndpoints.list) {
  static override summary = 'List webhook endpoints, newest first'
  static override aliases = ['webhooks:endpoints:ls']
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --status disabled',
  ]
}

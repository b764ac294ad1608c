import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { operationCommand } from '../../../src/cli/command/operation-command.ts'

export default class WebhooksEndpointsRetrieve extends operationCommand(
  webhookEndpoints.retrieve,
  'we_4bT9…',
) {
  static override summary = 'Retrieve a webhook endpoint without its secret'
  static override aliases = ['webhooks:endpoints:get']
  static override examples = [
    '<%= config.bin %> <%= command.id %> we_4bT9…',
    '<%= config.bin %> <%= command.id %> we_4bT9… --json',
    '<%= config.bin %> <%= command.id %> we_4bT9… --field id',
  ]
}

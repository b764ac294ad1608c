import { webhookDeliveries } from '../../../src/api/operations/webhook-deliveries.ts'
import { operationCommand } from '../../../src/cli/command/operation-command.ts'

export default class WebhooksDeliveriesList extends operationCommand(webhookDeliveries.list) {
  static override summary = 'List delivery attempts, newest first'
  static override aliases = ['webhooks:deliveries:ls']
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --status failed',
    '<%= config.bin %> <%= command.id %> --event evt_4bT9… --json',
  ]
}

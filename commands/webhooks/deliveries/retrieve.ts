import { webhookDeliveries } from '../../../src/api/operations/webhook-deliveries.ts'
import { operationCommand } from '../../../src/cli/command/operation-command.ts'

export default class WebhooksDeliveriesRetrieve extends operationCommand(
  webhookDeliveries.retrieve,
  'whd_4bT9…',
) {
  static override summary = 'Retrieve a delivery attempt'
  static override description =
    'Shows the response of your handler, the reason of a failure and the time of the next attempt. To send the event again: paycli events resend <event>.'
  static override aliases = ['webhooks:deliveries:get']
  static override examples = [
    '<%= config.bin %> <%= command.id %> whd_4bT9…',
    '<%= config.bin %> <%= command.id %> whd_4bT9… --json',
    '<%= config.bin %> <%= command.id %> whd_4bT9… --field id',
  ]
}

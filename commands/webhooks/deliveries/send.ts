import { webhookDeliveries } from '../../../src/api/operations/webhook-deliveries.ts'
import { operationCommand } from '../../../src/cli/command/operation-command.ts'

export default class WebhooksDeliveriesSend extends operationCommand(webhookDeliveries.send, 'whd_4bT9…') {
  static override summary = 'Send a pending delivery now'
  static override description =
    'Sends a retry without waiting for its schedule, or a delivery that a fault delays or holds. To send an event again whose delivery is no longer pending: paycli events resend <event>.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> whd_4bT9…',
    '<%= config.bin %> <%= command.id %> whd_4bT9… --json',
  ]
}

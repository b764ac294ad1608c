import { webhookDeliveries } from '../../../src/api/operations/webhook-deliveries.ts'
import { defineOperationCommand } from '../../../src/cli/command/operation-command.ts'

export default defineOperationCommand(webhookDeliveries.send, {
  summary: 'Send a pending delivery now',
  description:
    'Sends a retry without waiting for its schedule, or a delivery that a fault delays or holds. To send the event of a completed delivery again: paycli events resend <event>.',
  examples: ['whd_4bT9…', 'whd_4bT9… --json'],
})

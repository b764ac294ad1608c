import { webhookDeliveries } from '../../../src/api/operations/webhook-deliveries.ts'
import { defineOperationCommand } from '../../../src/cli/command/operation-command.ts'

export default defineOperationCommand(webhookDeliveries.retrieve, {
  summary: 'Retrieve a delivery attempt',
  description:
    'Shows the response of your handler, the reason of a failure and the time of the next attempt. To send the event again: paycli events resend <event>.',
  examples: ['whd_4bT9…', 'whd_4bT9… --json', 'whd_4bT9… --field id'],
})

import { webhookDeliveries } from '../../../src/api/operations/webhook-deliveries.ts'
import { defineOperationCommand } from '../../../src/cli/command/operation-command.ts'

export default defineOperationCommand(webhookDeliveries.list, {
  summary: 'List delivery attempts, newest first',
  examples: ['', '--type invoice.paid --status failed', '--object-id sub_4bT9…', '--event evt_4bT9… --json'],
})

import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { defineOperationCommand } from '../../../src/cli/command/operation-command.ts'

export default defineOperationCommand(webhookEndpoints.list, {
  summary: 'List webhook endpoints, newest first',
  examples: ['', '--status disabled'],
})

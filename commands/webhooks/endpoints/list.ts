import { webhookEndpoints } from '../../../src/api/operations/webhook-endpoints.ts'
import { operationCommand } from '../../../src/cli/command/operation-command.ts'

export default operationCommand(webhookEndpoints.list, {
  summary: 'List webhook endpoints, newest first',
  examples: ['', '--status disabled'],
})

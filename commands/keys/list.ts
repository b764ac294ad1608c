import { apiKeys } from '../../src/api/operations/api-keys.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(apiKeys.list, {
  summary: 'List API keys without their secrets, newest first',
  examples: ['', '--status active'],
})

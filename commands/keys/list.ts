import { apiKeys } from '../../src/api/operations/api-keys.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(apiKeys.list, {
  summary: 'List API keys without their secrets, newest first',
  examples: ['', '--status active'],
})

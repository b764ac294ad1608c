import { apiKeys } from '../../src/api/operations/api-keys.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(apiKeys.revoke, {
  summary: 'Revoke an API key',
  flags: {},
})

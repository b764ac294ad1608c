import { apiKeys } from '../../src/api/operations/api-keys.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(apiKeys.retrieve, { summary: 'Retrieve an API key without its secret' })

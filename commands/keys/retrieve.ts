import { apiKeys } from '../../src/api/operations/api-keys.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(apiKeys.retrieve, { summary: 'Retrieve an API key without its secret' })

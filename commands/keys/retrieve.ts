import { apiKeys } from '../../src/api/operations/api-keys.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class KeysRetrieve extends operationCommand(apiKeys.retrieve, 'key_4bT9…') {
  static override summary = 'Retrieve an API key without its secret'
  static override aliases = ['keys:get']
  static override examples = ['<%= config.bin %> <%= command.id %> key_4bT9…']
}

import { apiKeys } from '../../src/api/operations/api-keys.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class KeysRevoke extends operationCommand(apiKeys.revoke, 'key_4bT9…') {
  static override summary = 'Revoke an API key'
  static override flags = {}
  static override aliases = ['keys:rm']
  static override examples = ['<%= config.bin %> <%= command.id %> key_4bT9…']
}

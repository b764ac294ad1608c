import { apiKeys } from '../../src/api/operations/api-keys.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class KeysList extends operationCommand(apiKeys.list) {
  static override summary = 'List API keys without their secrets, newest first'
  static override aliases = ['keys:ls']
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --status active',
  ]
}

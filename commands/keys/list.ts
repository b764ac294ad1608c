import { apiKeys } from '../../src/api/operations/api-keys.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class KeysList extends BaseCommand {
  static override call = manifestCall(apiKeys.list)
  static override summary = 'List API keys without their secrets, newest first'
  static override aliases = ['keys:ls']
  static override flags = flagsOf(apiKeys.list.params)
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --status active',
  ]
}

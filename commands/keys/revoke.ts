import { apiKeys } from '../../src/api/api-keys.ts'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { callOf } from '../../src/cli/call.ts'
import { idArg } from '../../src/cli/id-arg.ts'

export default class KeysRevoke extends BaseCommand {
  static override call = callOf(apiKeys.revoke)
  static override summary = apiKeys.revoke.summary
  static override aliases = ['keys:rm']
  static override args = idArg('key_4bT9…')
  static override examples = ['<%= config.bin %> <%= command.id %> key_4bT9…']
}

import { apiKeys } from '../../src/api/operations/api-keys.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class KeysRetrieve extends BaseCommand {
  static override call = manifestCall(apiKeys.retrieve)
  static override summary = 'Retrieve an API key without its secret'
  static override aliases = ['keys:get']
  static override args = idArg('key_4bT9…')
  static override examples = ['<%= config.bin %> <%= command.id %> key_4bT9…']
}

import { apiKeys } from '../../src/api/operations/api-keys.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

const { roll } = apiKeys

export default class KeysRoll extends BaseCommand {
  static override call = manifestCall(roll)
  static override summary = 'Replace an API key and print the new secret once'
  static override description =
    'If paycli commands use this key automatically, pass the new key with --api-key. The next start of paycli serve creates another key for them.'
  static override args = idArg('key_4bT9…')
  static override flags = flagsOf(roll.params)
  static override examples = [
    '<%= config.bin %> <%= command.id %> key_4bT9…',
    '<%= config.bin %> <%= command.id %> key_4bT9… --grace-seconds 3600 --field secret',
  ]
}

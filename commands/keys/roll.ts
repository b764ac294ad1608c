import { apiKeys } from '../../src/api/operations/api-keys.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { callOf } from '../../src/cli/request/call.ts'

const { roll } = apiKeys

export default class KeysRoll extends BaseCommand {
  static override call = callOf(roll)
  static override summary = roll.summary
  static override description =
    'When it is the key that the command line uses by itself, paycli serve makes another one at its next start; until then give the new key with --api-key.'
  static override args = idArg('key_4bT9…')
  static override flags = flagsOf(roll.params)
  static override examples = [
    '<%= config.bin %> <%= command.id %> key_4bT9…',
    '<%= config.bin %> <%= command.id %> key_4bT9… --grace-seconds 3600 --field secret',
  ]
}

import { apiKeys } from '../../src/api/operations/api-keys.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'

export default class KeysRoll extends operationCommand(apiKeys.roll, 'key_4bT9…') {
  static override summary = 'Replace an API key and print the new secret once'
  static override description =
    'If paycli commands use this key automatically, pass the new key with --api-key. The next start of paycli serve creates another key for them.'
  static override flags = flagsOf(apiKeys.roll.params)
  static override examples = [
    '<%= config.bin %> <%= command.id %> key_4bT9…',
    '<%= config.bin %> <%= command.id %> key_4bT9… --grace-seconds 3600 --field secret',
  ]
}

import { apiKeys } from '../../src/api/operations/api-keys.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'
import { createParamFlags } from '../../src/cli/parse/flags.ts'

export default defineOperationCommand(apiKeys.roll, {
  summary: 'Replace an API key and print the new secret once',
  description:
    'If paycli commands use this key automatically, pass the new key with --api-key. The next start of paycli serve creates another key for paycli commands.',
  flags: createParamFlags(apiKeys.roll.params),
  examples: ['key_4bT9…', 'key_4bT9… --grace-seconds 3600 --field secret'],
})

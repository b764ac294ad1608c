import { apiKeys } from '../../src/api/operations/api-keys.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(apiKeys.create, {
  summary: 'Create an API key and print its secret once',
  description:
    'A key with --scopes is restricted: it may only use these resources, and :write includes :read. Other requests fail with status 403. Only a secret key may manage API keys. To try a key: paycli payments list --api-key payrk_test_…',
  examples: [
    '',
    "--name 'Nightly tests' --expires-at 2027-01-01 --field secret",
    '--name Reports --scopes payments:read,refunds:read',
  ],
})

import { apiKeys } from '../../src/api/operations/api-keys.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { createFlags } from '../../src/cli/parse/change-flags.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

const { create } = apiKeys

export default class KeysCreate extends BaseCommand {
  static override call = manifestCall(create)
  static override summary = 'Create an API key and print its secret once'
  static override flags = { ...flagsOf(create.params), ...createFlags }
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    "<%= config.bin %> <%= command.id %> --name 'Nightly tests' --expires-at 2027-01-01 --field secret",
    '<%= config.bin %> <%= command.id %> --name Reports --scopes payments:read,refunds:read',
  ]
}

import { sandboxes } from '../../src/api/operations/sandboxes.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'
import { addSandboxFlag } from '../../src/cli/output/sandbox-flag.ts'
import {
  rejectReservedName,
  type StoredSandbox,
  storeSandboxSecrets,
} from '../../src/cli/service/sandbox-keys.ts'

export default class SandboxesCreate extends defineOperationCommand(sandboxes.create, {
  summary: 'Create a sandbox and store its API key',
  description:
    'A sandbox has its own objects, events, API keys, webhook endpoints and test clocks. With --from, the sandbox begins as a copy of another sandbox or of a state that paycli state save wrote. No other response contains its API key and webhook secret. paycli keeps them in its folder, and uses them in commands with --sandbox.',
  examples: ['', '--name worker-1 --from default', '--storage memory --expires-at 2027-01-01'],
}) {
  override async run(): Promise<void> {
    const input = await this.readInput()
    rejectReservedName(input.flags['name'])
    const created = await this.send(input, this.client())
    const { id, name } = created as StoredSandbox
    const next = addSandboxFlag('Use it: paycli customers list', name ?? id)
    // Print the key before storing it, because no other response contains the key.
    this.print(created, () => next)
    await storeSandboxSecrets(process.env, this.connection().apiBase, created as StoredSandbox)
  }
}

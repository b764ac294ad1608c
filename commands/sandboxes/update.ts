import { sandboxes } from '../../src/api/operations/sandboxes.ts'
import { defineSandboxCommand } from '../../src/cli/command/sandbox-command.ts'
import {
  findStoredSandbox,
  rejectReservedName,
  type StoredSandbox,
  storeSandboxSecrets,
} from '../../src/cli/service/sandbox-keys.ts'

export default class SandboxesUpdate extends defineSandboxCommand(sandboxes.update, {
  summary: 'Change the name or the expiry of a sandbox',
  examples: ["sbx_4bT9… --name 'Tests of the checkout'", "current --expires-at ''"],
}) {
  override async run(): Promise<void> {
    const input = await this.readInput()
    rejectReservedName(input.flags['name'])
    const updated = await this.send(input, this.client())
    this.print(updated)
    const { id, name } = updated as StoredSandbox
    const { apiBase } = this.connection()
    const stored = findStoredSandbox(process.env, apiBase, id)
    if (stored !== undefined) await storeSandboxSecrets(process.env, apiBase, { ...stored, name })
  }
}

import { sandboxes } from '../../src/api/operations/sandboxes.ts'
import { sandboxCommand } from '../../src/cli/command/sandbox-command.ts'
import { sendFromFlags } from '../../src/cli/request/call.ts'
import { findStoredSandbox, type StoredSandbox, storeSandbox } from '../../src/cli/service/sandbox-keys.ts'

export default class SandboxesUpdate extends sandboxCommand(sandboxes.update) {
  static override summary = 'Change the name or the expiry of a sandbox'
  static override examples = [
    "<%= config.bin %> <%= command.id %> sbx_4bT9… --name 'Tests of the checkout'",
    "<%= config.bin %> <%= command.id %> current --expires-at ''",
  ]

  override async run(): Promise<void> {
    const input = await this.readInput()
    const updated = await sendFromFlags(this.operation, input, this.client())
    this.print(updated)
    const { id, name } = updated as StoredSandbox
    const { apiBase } = this.connection()
    const stored = findStoredSandbox(process.env, apiBase, id)
    if (stored !== undefined) await storeSandbox(process.env, apiBase, { ...stored, name })
  }
}

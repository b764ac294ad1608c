import { sandboxes } from '../../src/api/operations/sandboxes.ts'
import { defineSandboxCommand } from '../../src/cli/command/sandbox-command.ts'
import { deleteSandboxSecrets } from '../../src/cli/service/sandbox-keys.ts'
import { ApiError } from '../../src/client/api-error.ts'

export default class SandboxesDelete extends defineSandboxCommand(sandboxes.delete, {
  summary: 'Delete a sandbox and its contents',
  examples: ['sbx_4bT9…', 'worker-1'],
}) {
  override async run(): Promise<void> {
    const input = await this.readInput()
    const { apiBase } = this.connection()
    const deleted = await this.send(input, this.client()).catch((error: unknown) => {
      // The sandbox no longer exists, so its stored key is useless.
      if (error instanceof ApiError && error.status === 404)
        deleteSandboxSecrets(process.env, apiBase, input.id)
      throw error
    })
    deleteSandboxSecrets(process.env, apiBase, input.id)
    this.print(deleted)
  }
}

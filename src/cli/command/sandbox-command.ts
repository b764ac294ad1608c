import { textArg } from '../parse/flag-builders.ts'
import type { CommandInput, OperationWithParams } from '../request/call.ts'
import { findStoredSandbox } from '../service/sandbox-keys.ts'
import { type CommandTexts, defineOperationCommand, type OperationCommand } from './operation-command.ts'

/**
 * Returns the base class of a command that accepts the id or name of one sandbox. A name is accepted if the key of its
 * sandbox is stored.
 */
export function defineSandboxCommand(
  operation: OperationWithParams,
  texts: CommandTexts,
): typeof OperationCommand {
  return class extends defineOperationCommand(operation, texts) {
    static override args = {
      id: textArg({
        description: 'Sandbox: its id, its name, or current for the sandbox of the API key.',
        required: true,
      }),
    }

    protected override async readInput(words?: readonly string[]): Promise<CommandInput> {
      const input = await super.readInput(words)
      const { apiBase } = this.connection()
      return { ...input, id: findStoredSandbox(process.env, apiBase, input.id)?.id ?? input.id }
    }
  }
}

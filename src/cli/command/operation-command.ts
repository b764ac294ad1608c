import type { FlagInput } from '@oclif/core/interfaces'
import { flagsOf } from '../parse/flags.ts'
import { idArg } from '../parse/id-arg.ts'
import { createFlags, dryRunFlag, updateFlags } from '../parse/update-flags.ts'
import { type FlaggedOperation, sendFromFlags } from '../request/call.ts'
import { BaseCommand } from './base-command.ts'

/** A command that makes a single call and prints the response. */
export class OperationCommand extends BaseCommand {
  // oclif collects static properties up to the first class without any.
  static override flags: FlagInput = {}
  declare readonly operation: FlaggedOperation
  /** Parameters without a flag. */
  readonly omitted: readonly string[] = []

  override async run(): Promise<void> {
    const input = await this.readInput()
    const client = this.client()
    await this.printWithCustomer(await sendFromFlags(this.operation, input, client, this.omitted), client)
  }
}

/**
 * Returns the base class of the command that calls an operation. The flags follow from its parameters, except for those in
 * `omit`. With an `exampleId` the command has an id argument.
 */
export function operationCommand(
  operation: FlaggedOperation,
  exampleId?: string,
  omit: readonly string[] = [],
): typeof OperationCommand {
  return class extends OperationCommand {
    static override args = exampleId === undefined ? {} : idArg(exampleId)
    static override flags: FlagInput = { ...flagsOf(operation.params, { omit }), ...sendingFlags(operation) }
    override readonly operation = operation
    override readonly omitted = omit
  }
}

/** Returns the flags that control how a change is sent. */
function sendingFlags({ method, path }: FlaggedOperation): FlagInput {
  if (method === 'GET') return {}
  if (method === 'DELETE') return dryRunFlag
  return path.includes(':id') ? updateFlags : createFlags
}

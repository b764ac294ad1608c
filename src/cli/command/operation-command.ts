import type { FlagInput } from '@oclif/core/interfaces'
import { RESOURCES } from '../../api/resources/catalog.ts'
import type { Client } from '../../client/client.ts'
import type { Schema } from '../../domain/core/schema.ts'
import { createParamFlags } from '../parse/flags.ts'
import { createIdArg } from '../parse/id-arg.ts'
import { dryRunFlag, objectCreationFlags, objectUpdateFlags } from '../parse/mutation-flags.ts'
import type { FlagValues, Params } from '../parse/params.ts'
import { type CommandInput, type OperationWithParams, sendFromFlags } from '../request/call.ts'
import { BaseCommand, toExamples } from './base-command.ts'

/** The help texts of a command. */
export interface CommandTexts {
  readonly summary: string
  readonly description?: string
  /** The words after the command in each example (default: only an example id). */
  readonly examples?: readonly string[]
}

/** Options of a command that calls an operation with a response of type `R`. */
export interface OperationCommandOptions<R> extends CommandTexts {
  /** Aliases in addition to `ls`, `get` and `rm`. */
  readonly aliases?: readonly string[]
  /** The flags (default: the flags of the parameters and of the request). */
  readonly flags?: FlagInput
  /** Flags besides the default flags, in the help before or after those of the parameters. */
  readonly flagsBefore?: FlagInput
  readonly flagsAfter?: FlagInput
  /** Parameters without a flag of the same name. */
  readonly omit?: readonly string[]
  /** Returns parameters computed from flags with other names. */
  readonly params?: (flags: FlagValues) => Params
  /**
   * Returns the note below the response (default: the next command). If `note` is set, the command does not read the
   * name of the customer.
   */
  note?(response: R, client: Client): string | null | Promise<string | null>
}

/** A command that calls an operation and prints the response. */
export class OperationCommand extends BaseCommand {
  // oclif stops collecting static properties at the first class without static properties.
  static override flags: FlagInput = {}
  declare readonly operation: OperationWithParams
  declare readonly options: OperationCommandOptions<object>

  override async run(): Promise<void> {
    const input = await this.readInput()
    const client = this.client()
    const response = await this.send(input, client)
    const { note } = this.options
    if (note === undefined) return this.printWithCustomer(response, client)
    const text = this.isTextOutput() ? await note(response, client) : null
    this.print(response, () => text)
  }

  /** Sends the request that the command line describes and returns the response. */
  protected async send(input: CommandInput, client: Client): Promise<object> {
    const { omit, params } = this.options
    return sendFromFlags(this.operation, input, client, { omit, params: params?.(input.flags) })
  }
}

/**
 * Returns the command that calls an operation. The operation's parameters determine the flags. Its path determines the
 * id argument and the aliases `ls`, `get` and `rm`.
 */
export function defineOperationCommand<R extends object>(
  operation: OperationWithParams & { readonly response?: Schema<R> },
  options: OperationCommandOptions<R>,
): typeof OperationCommand {
  const { summary, description, omit = [] } = options
  const exampleId = exampleIdOf(operation)
  const { examples = [exampleId ?? ''] } = options
  return class extends OperationCommand {
    static override summary = summary
    static override description = description
    static override aliases = [...shortNamesOf(operation), ...(options.aliases ?? [])]
    static override args = exampleId === null ? {} : createIdArg(exampleId)
    static override flags = options.flags ?? {
      ...options.flagsBefore,
      ...createParamFlags(operation.params, { omit }),
      ...options.flagsAfter,
      ...sendingFlags(operation),
    }
    static override examples = toExamples(examples)
    override readonly operation = operation
    override readonly options = options
  }
}

/** Returns the example of the id in the path, or null for a path without an id. */
function exampleIdOf({ path }: OperationWithParams): string | null {
  const [, name] = /(\w+)\/:id/.exec(path) ?? []
  const resource = RESOURCES.find((one) => one.name === name)
  return resource === undefined ? null : `${resource.idPrefix}4bT9…`
}

/** Returns the alias `ls`, `get` or `rm` of an operation that lists, retrieves or deletes; otherwise an empty list. */
function shortNamesOf({ method, path }: OperationWithParams): string[] {
  return RESOURCES.flatMap(({ topic, listPath, path: objectPath }) => {
    const command = topic.replaceAll(' ', ':')
    if (method === 'GET' && path === `/v1/${listPath}`) return [`${command}:ls`]
    if (method === 'POST' || path !== `/v1/${objectPath}/:id`) return []
    return [`${command}:${method === 'GET' ? 'get' : 'rm'}`]
  })
}

/** Returns the flags of the request, such as `--dry-run`. */
function sendingFlags({ method, path }: OperationWithParams): FlagInput {
  if (method === 'GET') return {}
  if (method === 'DELETE') return dryRunFlag
  return path.includes(':id') ? objectUpdateFlags : objectCreationFlags
}

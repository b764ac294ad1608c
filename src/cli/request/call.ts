import type { ObjectSchema, Schema } from '../../api/schema/schema.ts'
import type { Client } from '../../client/client.ts'
import type { Callable } from '../../client/request.ts'
import { UsageError } from '../errors/usage-error.ts'
import type { CommandLine } from '../parse/command-line.ts'
import { type FlagValues, type Params, paramsFromFlags, requireParams } from '../parse/params.ts'

/** What the command line gave. */
export interface Given {
  /** The positional id, empty for commands without one. */
  readonly id: string
  /** All positional arguments in the order in which they came. */
  readonly words: readonly string[]
  readonly flags: FlagValues
}

/** What a parsed command line gives; refuses an id that is empty. */
export function givenFrom({ args, argv, flags }: CommandLine): Given {
  const { id = '' } = args
  if ('id' in args && id === '') throw new UsageError('argument_missing', 'The id is empty.', { param: 'id' })
  return { id, words: argv, flags }
}

/** An operation whose parameters flags can be made of. */
export interface FlaggedOperation extends Callable {
  readonly params: ObjectSchema<unknown>
}

/** What a command that calls one operation has to work with. */
export interface Task {
  readonly call: FlaggedOperation
  readonly given: Given
  readonly client: Client
  /** Prints the answer in the form that was asked for; `note` is for people only. */
  readonly print: (answer: object, note?: () => string | null) => Promise<void> | void
}

/** What of an operation it takes to make its call from flags, small enough for the manifest. */
export function callOf({ method, path, params }: FlaggedOperation): FlaggedOperation {
  const { required = [], properties } = params
  return { method, path, params: { required, properties: bareAll(properties) } }
}

function bareAll(properties: ObjectSchema<unknown>['properties']): ObjectSchema<unknown>['properties'] {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, bare(schema)]))
}

function bare({ type, format, items, properties, required }: Schema<unknown>): Schema<unknown> {
  // The bounds of a range are known by its format.
  const isObject = properties !== undefined && format === undefined
  return {
    ...(type === undefined ? {} : { type }),
    ...(format === undefined ? {} : { format }),
    ...(items === undefined ? {} : { items: bare(items) }),
    ...(isObject ? { properties: bareAll(properties), required: required ?? [] } : {}),
  }
}

/** Makes the call that the command line asks for and resolves with the answer. */
export async function sendFromFlags(
  operation: FlaggedOperation,
  { id, flags }: Given,
  client: Client,
): Promise<object> {
  const spoken = paramsFromFlags<unknown>(operation.params, flags)
  const given = { ...(await bodyOf(operation, flags, spoken)), ...spoken }
  const params = id === '' ? given : { ...given, id }
  requireParams<unknown>(operation.params, params)
  return sendPages(operation, params, { flags, client })
}

/** Sends a request; with `--all` it is one for each page of a list, to its end. */
export async function sendPages(
  operation: Callable,
  params: Params,
  { flags, client }: { readonly flags: FlagValues; readonly client: Client },
): Promise<object> {
  if (flags['all'] !== true) return client.send(operation, params)
  const { sendForAll } = await import('./all-pages.ts')
  return sendForAll(client, operation, params)
}

/** What `--from-file` and `--data` give beside what other flags say; nothing without them. */
export async function bodyOf(
  { params }: Pick<FlaggedOperation, 'params'>,
  flags: FlagValues,
  spoken: Params,
): Promise<Params> {
  if (flags['from-file'] === undefined && flags['data'] === undefined) return {}
  const { bodyParams } = await import('./request-body.ts')
  return bodyParams(flags, params, spoken)
}

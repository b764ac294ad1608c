import type { Client } from '../../client/client.ts'
import type { CallableOperation } from '../../client/request.ts'
import type { ObjectSchema } from '../../domain/core/schema.ts'
import { UsageError } from '../errors/usage-error.ts'
import type { CommandLine } from '../launch/command-line.ts'
import { type FlagValues, getParamsFromFlags, type Params, requireParams } from '../parse/params.ts'

/** The parsed command line of a command. */
export interface CommandInput {
  /** The positional id; empty for commands without an id. */
  readonly id: string
  /** All positional arguments in order. */
  readonly words: readonly string[]
  readonly flags: FlagValues
}

/** Converts oclif's parsed command line to the input of a command. Throws when the id is empty. */
export function toCommandInput({ args, argv, flags }: CommandLine): CommandInput {
  const { id = '' } = args
  if ('id' in args && id === '') throw new UsageError('argument_missing', 'The id is empty.', { param: 'id' })
  return { id, words: argv, flags }
}

/** An operation whose parameters are known, so that flags can be derived from them. */
export interface OperationWithParams extends CallableOperation {
  readonly params: ObjectSchema<unknown>
}

/** The parameters without a flag of the same name, and the values of parameters that other flags set. */
interface OtherParams {
  readonly omit?: readonly string[] | undefined
  readonly params?: Params | undefined
}

/** Sends the call that the command line describes and returns the response. */
export async function sendFromFlags(
  operation: OperationWithParams,
  { id, flags }: CommandInput,
  client: Client,
  { omit, params: others }: OtherParams,
): Promise<object> {
  const flagParams = { ...getParamsFromFlags<unknown>(operation.params, flags, omit), ...others }
  const body = { ...(await readFileAndDataParams(operation, flags, flagParams)), ...flagParams }
  const params = id === '' ? body : { ...body, id }
  requireParams<unknown>(operation.params, params)
  return sendWithPaging(operation, params, flags, client)
}

/** Sends a request. With `--all`, reads every page of a list and returns one list. */
export async function sendWithPaging(
  operation: CallableOperation,
  params: Params,
  flags: FlagValues,
  client: Client,
): Promise<object> {
  if (flags['all'] !== true) return client.send(operation, params)
  const { readAllPages } = await import('./paginate.ts')
  return readAllPages(client, operation, params)
}

/** Returns the parameters of `--from-file` and `--data`, if given. Throws when `--data` contradicts `flagParams`. */
export async function readFileAndDataParams(
  { params }: Pick<OperationWithParams, 'params'>,
  flags: FlagValues,
  flagParams: Params,
): Promise<Params> {
  if (flags['from-file'] === undefined && flags['data'] === undefined) return {}
  const { mergeFileAndDataParams } = await import('./request-body.ts')
  return mergeFileAndDataParams(flags, params, flagParams)
}

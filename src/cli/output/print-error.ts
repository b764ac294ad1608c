import { ApiError } from '../../client/api-error.ts'
import { ConnectionError } from '../../client/connection-error.ts'
import { StartupError } from '../../domain/core/startup-error.ts'
import { DryRunError } from '../errors/dry-run.ts'
import { isFlagGiven } from '../parse/flag-names.ts'
import type { FlagValues } from '../parse/params.ts'
import { findKeySourceHint, findSandboxSourceHint } from '../service/key-source.ts'
import { describeDatabase, listRunningServices } from '../service/service-status.ts'
import { createErrorReport, getMaskedStack, writeErrorReport } from './error-report.ts'
import { getExitCode } from './exit-codes.ts'
import { findArgumentHint, findFlagOwners, findSameCommand } from './flag-owners.ts'
import { renderJson, writeToStdout } from './output.ts'
import { addSandboxFlag, findSandboxToSuggest } from './sandbox-flag.ts'

/** The command that failed. */
export interface PrintErrorOptions {
  /** The folder of the package. */
  readonly root: string
  /** The command id, such as `customers:create`. */
  readonly id: string
  readonly argv: readonly string[]
  readonly flagNames: readonly string[]
  /** The example templates of the command. */
  readonly examples: readonly string[]
  /** The parsed flags; empty when parsing failed. */
  readonly flags: FlagValues
}

/** Prints an error to stderr and sets the exit code. For a dry run, prints the request to stdout instead. */
export async function printError(
  error: unknown,
  { root, id, argv, flagNames, examples, flags }: PrintErrorOptions,
): Promise<void> {
  if (error instanceof DryRunError) return writeToStdout(renderJson(error.request))
  // A user who wrote the body as JSON knows the parameters by their API names.
  const isJsonBody = flags['from-file'] !== undefined || flags['data'] !== undefined
  const command = `paycli ${id.replaceAll(':', ' ')}`
  const report = createErrorReport(error, {
    command,
    example: examples[0]?.replace('<%= config.bin %> <%= command.id %>', command),
    flags: flagNames,
    findOwners: (flag) => findFlagOwners(root, id, flag),
    findCommandOf: (topic, given) => (argv[0] === given ? findSameCommand(root, topic, { id, argv }) : null),
    paramFlags: isJsonBody ? [] : flagNames,
  })
  process.exitCode = getExitCode(report)
  const found = await findOtherHint(error, flags, argv)
  const quoted = report.code === 'argument_unknown' ? findArgumentHint(root, { id, argv }) : null
  const hint = found ?? quoted ?? report.hint
  // The error advises about another program on the port; the hint advises about a paycli server.
  const isOwnPort = error instanceof StartupError && found !== null
  const message = isOwnPort
    ? report.message.replace(/(?<=in use\.) .*$/s, '')
    : report.message.replace(/ Start one: paycli serve$/, found === null ? '$&' : '')
  const fix = hint && addSandboxFlag(hint, findSandboxToSuggest(flags, process.env))
  writeErrorReport({ ...report, message, hint: fix }, isJsonRequested(argv), flags['color'])
  if (report.type === 'unexpected_error' && process.env['PAYCLI_DEBUG'])
    process.stderr.write(getMaskedStack(error))
}

/** Returns a hint that depends on the servers or the profiles of this machine, or null. */
async function findOtherHint(
  error: unknown,
  flags: FlagValues,
  argv: readonly string[],
): Promise<string | null> {
  // Search for other servers only after these errors, because the search deletes the files of killed servers.
  if (
    error instanceof ConnectionError &&
    ['connection_refused', 'server_unproven', 'not_paycli'].includes(error.code)
  )
    return suggestAddress(error, flags, argv)
  if (error instanceof StartupError) return describePortOwner(error)
  if (!(error instanceof ApiError)) return null
  const { code, param, type } = error.error
  if (type === 'authentication_error') return findKeySourceHint(flags, argv, process.env)
  return code === 'resource_missing' && param === 'from' ? findSandboxSourceHint(flags, process.env) : null
}

// Reads argv, because the flags are empty when parsing failed.
function isJsonRequested(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return (end === -1 ? argv : argv.slice(0, end)).includes('--json')
}

/** Returns a hint about the paycli server that occupies a port, or null when another program occupies the port. */
async function describePortOwner({ code, message }: StartupError): Promise<string | null> {
  const [, port, flag] = (code === 'port_taken' && /^Port (\d+) .* with (--\S+)/.exec(message)) || []
  if (port === undefined) return null
  const servers = await listRunningServices(process.env)
  const owner = servers.find(({ api_url, checkout_url }) =>
    [api_url, checkout_url].some((url) => URL.parse(url ?? '')?.port === port),
  )
  if (owner === undefined) return null
  return `Process ${owner.pid} is the server at ${owner.api_url}, ${describeDatabase(owner)}. Use that server, choose another port with ${flag}, or stop it: paycli stop --pid ${owner.pid}`
}

// `paycli serve` starts a server at the default address, not at the address that the user gave.
async function suggestAddress(
  { hint }: ConnectionError,
  flags: FlagValues,
  argv: readonly string[],
): Promise<string | null> {
  const running = await suggestRunningService()
  if (!hint.startsWith('Start one') || flags['api-base'] === undefined || running !== null) return running
  const advice = isFlagGiven(argv, 'api-base')
    ? 'Correct --api-base, or omit it for the local server.'
    : 'The address is the value of PAYCLI_API_BASE. Correct or unset it.'
  return `${advice} Start a server: paycli serve`
}

/** Returns a hint about a running server at another address, or null without such a server. */
async function suggestRunningService(): Promise<string | null> {
  const [first, ...more] = await listRunningServices(process.env)
  if (first === undefined) return null
  const others = more.length === 0 ? '' : `, and ${more.length} more`
  return `A server runs at ${first.api_url}${others}. Use it with --api-base ${first.api_url}. List all: paycli status --all`
}

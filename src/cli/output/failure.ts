import { ConnectionError } from '../../client/connection-error.ts'
import type { FlagValues } from '../parse/params.ts'
import { printData, renderJson } from './output.ts'

/** Whose error it is, and how to tell it. */
interface Failed {
  /** What to look up in the help, such as `paycli customers create`. */
  readonly command: string
  readonly argv: readonly string[]
  /** The names of all flags the command has. */
  readonly known: readonly string[]
  /** Empty when they are what could not be read. */
  readonly flags: FlagValues
}

/**
 * Tells an error on stderr and sets the exit code; nothing of it reaches stdout. A request that `--dry-run` did not send
 * is no error: it is what was asked for.
 */
export async function tellError(error: unknown, { command, argv, known, flags }: Failed): Promise<void> {
  const { NotSent } = await import('../errors/dry-run.ts')
  if (error instanceof NotSent) return printData(renderJson(error.request))
  const { jsonReport, reportOf, textReport, stackOf } = await import('./error-report.ts')
  const { exitCodeOf } = await import('./exit-codes.ts')
  const { createStyle, isColorWanted } = await import('./style.ts')
  process.exitCode = exitCodeOf(error)
  const told = reportOf(error, { command, flags: known, spoken: isJsonGiven(flags) ? [] : known })
  const report = isNobodyThere(error) ? { ...told, hint: (await otherPlaces()) ?? told.hint } : told
  const style = createStyle(isColorWanted(flags['color'], process.env, process.stderr.isTTY === true))
  process.stderr.write(isJsonAsked(argv) ? jsonReport(report) : textReport(report, style))
  if (report.type === 'unexpected_error' && process.env['PAYCLI_DEBUG']) process.stderr.write(stackOf(error))
}

// Whoever wrote JSON knows the parameters by their own names.
function isJsonGiven(flags: FlagValues): boolean {
  return flags['from-file'] !== undefined || flags['data'] !== undefined
}

// The flags may be what could not be parsed.
function isJsonAsked(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return (end === -1 ? argv : argv.slice(0, end)).includes('--json')
}

function isNobodyThere(error: unknown): boolean {
  return error instanceof ConnectionError && error.code === 'connection_refused'
}

// Whoever is not where commands look may still run at another address.
async function otherPlaces(): Promise<string | null> {
  const { runningServices } = await import('../service/service-status.ts')
  const [one, ...more] = await runningServices(process.env)
  if (one === undefined) return null
  const others = more.length === 0 ? '' : `, and ${more.length} more`
  return `Yours runs at ${one.api_url}${others}: name it with --api-base ${one.api_url}. See all: paycli status --all`
}

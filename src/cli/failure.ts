import type { FlagValues } from './params.ts'

/** Whose error it is, and how to tell it. */
interface Failed {
  /** What to look up in the help, such as `paycli customers create`. */
  readonly command: string
  readonly argv: readonly string[]
  /** Empty when they are what could not be read. */
  readonly flags: FlagValues
}

/** Tells an error on stderr and sets the exit code; nothing of it reaches stdout. */
export async function tellError(error: unknown, { command, argv, flags }: Failed): Promise<void> {
  const { jsonReport, reportOf, textReport, stackOf } = await import('./error-report.ts')
  const { exitCodeOf } = await import('./exit-codes.ts')
  const { createStyle, isColorWanted } = await import('./style.ts')
  process.exitCode = exitCodeOf(error)
  const report = reportOf(error, command)
  const style = createStyle(isColorWanted(flags['color'], process.env, process.stderr.isTTY === true))
  process.stderr.write(isJsonAsked(argv) ? jsonReport(report) : textReport(report, style))
  if (report.type === 'unexpected_error' && process.env['PAYCLI_DEBUG']) process.stderr.write(stackOf(error))
}

// The flags may be what could not be parsed.
function isJsonAsked(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return (end === -1 ? argv : argv.slice(0, end)).includes('--json')
}

import { getStdoutWidth, isStdoutTerminal, writeToStdout } from '../../output/output.ts'
import { printJsonOrFields } from '../../output/render-response.ts'
import { createStyle, isColorEnabled } from '../../output/style.ts'
import { type FlagValues, listFlagValues } from '../../parse/params.ts'
import type { ViewOptions } from '../../views/view-options.ts'

/** The width of a report in a log. */
const LOG_COLUMNS = 100

/**
 * Prints a report to the terminal. Without a terminal, the report goes to stderr, because stdout is only for the output
 * of `--json` and `--field`.
 */
export function printReport(
  flags: FlagValues,
  toJson: () => object,
  format: (view: Pick<ViewOptions, 'style' | 'width'>) => string,
): void {
  const isData = flags['json'] === true || listFlagValues(flags['field']).length > 0
  if (isData) printJsonOrFields(toJson(), flags)
  if (isData && isStdoutTerminal()) return
  const style = createStyle(
    isColorEnabled(flags['color'], process.env, isStdoutTerminal() || process.stderr.isTTY),
  )
  const width = isStdoutTerminal() ? getStdoutWidth() : process.stderr.columns || LOG_COLUMNS
  const report = format({ style, width })
  if (isStdoutTerminal()) writeToStdout(report)
  else process.stderr.write(report)
}

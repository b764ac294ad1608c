import { streams } from '../../src/api/operations/streams.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { logLine } from '../../src/cli/listen/log-line.ts'
import { tailLogs } from '../../src/cli/listen/log-tail.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { statusFlag, statusParams } from '../../src/cli/parse/log-filters.ts'
import { paramsFromFlags } from '../../src/cli/parse/params.ts'
import { onInterrupt } from '../../src/cli/serve/interrupts.ts'

const { params } = streams.requestLogs
const OMITTED = ['status', 'after']

export default class LogsTail extends BaseCommand {
  static override summary = 'Prints requests to the API as they are answered, until ^C.'
  static override description =
    'A line each on a terminal, else NDJSON. What is answered while the connection is lost comes when it is back.'
  static override flags = { ...statusFlag, ...flagsOf(params, { omit: OMITTED }) }
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --status 4xx',
    "<%= config.bin %> <%= command.id %> --json | jq 'select(.duration_ms > 100)'",
  ]

  override async run(): Promise<void> {
    const { flags } = await this.given()
    const query = { ...paramsFromFlags(params, flags, OMITTED), ...statusParams(flags['status']) }
    const stopping = new AbortController()
    onInterrupt((code) => {
      process.exitCode = code
      stopping.abort()
    })
    await tailLogs({
      ...this.connection(),
      query,
      signal: stopping.signal,
      isWatched: process.stderr.isTTY,
      onLog: (log) => this.printEntry(log, (style) => logLine(log, style)),
    })
  }
}

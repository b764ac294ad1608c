import { streamRoutes } from '../../src/api/operations/streams.ts'
import { BaseCommand, toExamples } from '../../src/cli/command/base-command.ts'
import { formatLogLine, tailLogs } from '../../src/cli/listen/log-tail.ts'
import { createParamFlags } from '../../src/cli/parse/flags.ts'
import { parseStatusFilter, statusFlag } from '../../src/cli/parse/log-filters.ts'
import { getParamsFromFlags } from '../../src/cli/parse/params.ts'
import { onInterrupt } from '../../src/cli/serve/interrupts.ts'

const { params } = streamRoutes.requestLogs
const OMITTED = ['status', 'after']

export default class LogsTail extends BaseCommand {
  static override summary = 'Print API requests as they finish'
  static override description =
    'Prints a line per request on a terminal, else NDJSON. Requests during a lost connection are printed after the connection is restored. Stop with ^C.'
  static override flags = { ...statusFlag, ...createParamFlags(params, { omit: OMITTED }) }
  static override examples = toExamples([
    '',
    '--status 4xx',
    "--path '/v1/stream*'",
    "--json | jq 'select(.duration_ms > 100)'",
  ])

  override async run(): Promise<void> {
    const { flags } = await this.readInput()
    const query = { ...getParamsFromFlags(params, flags, OMITTED), ...parseStatusFilter(flags['status']) }
    const stopping = new AbortController()
    onInterrupt((code) => {
      process.exitCode = code
      stopping.abort()
    })
    await tailLogs({
      ...this.connection(),
      query,
      signal: stopping.signal,
      isReadyShown: process.stderr.isTTY,
      onLog: (log) => this.printEntry(log, (style) => formatLogLine(log, style)),
    })
  }
}

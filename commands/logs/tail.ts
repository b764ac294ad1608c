import { requestLogs } from '../../src/api/request-logs.ts'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { flagsOf } from '../../src/cli/flags.ts'
import { follow } from '../../src/cli/follow.ts'
import { statusFlag, statusParams } from '../../src/cli/log-filters.ts'
import { logLine } from '../../src/cli/log-line.ts'
import { printNote } from '../../src/cli/output.ts'
import { paramsFromFlags } from '../../src/cli/params.ts'
import { pause } from '../../src/client/pause.ts'

const { list } = requestLogs
const OMITTED = ['status', 'created', 'limit', 'starting_after', 'ending_before']
const LOOK_EVERY_MS = 500

export default class LogsTail extends BaseCommand {
  static override summary = 'Prints requests to the API as they are answered, until ^C.'
  static override flags = { ...statusFlag, ...flagsOf(list.params, { omit: OMITTED }) }
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --status 4xx',
    "<%= config.bin %> <%= command.id %> --json | jq 'select(.duration_ms > 100)'",
  ]

  override async run(): Promise<void> {
    const { flags } = await this.given()
    const client = this.client()
    const asked = { ...paramsFromFlags(list.params, flags, OMITTED), ...statusParams(flags['status']) }
    const next = await follow((place) => client.call(list, { ...asked, ...place }))
    if (process.stderr.isTTY) printNote('Following requests. Stop with ^C.')
    for (;;) {
      for (const log of await next()) this.printEntry(log, (style) => logLine(log, style))
      await pause(LOOK_EVERY_MS, new AbortController().signal)
    }
  }
}

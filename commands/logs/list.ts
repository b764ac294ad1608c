import { requestLogs } from '../../src/api/operations/request-logs.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { flagsOf } from '../../src/cli/parse/flags.ts'
import { parseStatusFilter, statusFlag } from '../../src/cli/parse/log-filters.ts'
import { paramsFromFlags } from '../../src/cli/parse/params.ts'
import { sendPages } from '../../src/cli/request/call.ts'

const { list } = requestLogs
const OMITTED = ['status']

export default class LogsList extends BaseCommand {
  static override summary = 'List request logs, newest first'
  static override aliases = ['logs:ls']
  static override flags = { ...statusFlag, ...flagsOf(list.params, { omit: OMITTED }) }
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --status 4xx --limit 50',
    "<%= config.bin %> <%= command.id %> --method POST --path /v1/customers --field 'data[].id'",
    "<%= config.bin %> <%= command.id %> --path '!/v1/events*'",
  ]

  override async run(): Promise<void> {
    const { flags } = await this.readInput()
    const params = { ...paramsFromFlags(list.params, flags, OMITTED), ...parseStatusFilter(flags['status']) }
    this.print(await sendPages(list, params, flags, this.client()))
  }
}

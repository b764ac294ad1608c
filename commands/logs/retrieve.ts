import { requestLogs } from '../../src/api/operations/request-logs.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { manifestCall } from '../../src/cli/request/call.ts'

export default class LogsRetrieve extends BaseCommand {
  static override call = manifestCall(requestLogs.retrieve)
  static override summary = 'Retrieve a request log'
  static override aliases = ['logs:get']
  static override args = idArg('req_4bT9…')
  static override examples = [
    '<%= config.bin %> <%= command.id %> req_4bT9…',
    '<%= config.bin %> <%= command.id %> req_4bT9… --field error.message',
  ]
}

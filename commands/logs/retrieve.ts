import { requestLogs } from '../../src/api/operations/request-logs.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class LogsRetrieve extends operationCommand(requestLogs.retrieve, 'req_4bT9…') {
  static override summary = 'Retrieve a request log'
  static override aliases = ['logs:get']
  static override examples = [
    '<%= config.bin %> <%= command.id %> req_4bT9…',
    '<%= config.bin %> <%= command.id %> req_4bT9… --field error.message',
  ]
}

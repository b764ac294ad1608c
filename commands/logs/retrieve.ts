import { requestLogs } from '../../src/api/operations/request-logs.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(requestLogs.retrieve, {
  summary: 'Retrieve a request log',
  examples: ['req_4bT9…', 'req_4bT9… --field error.message'],
})

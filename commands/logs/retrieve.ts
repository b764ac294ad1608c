import { requestLogs } from '../../src/api/operations/request-logs.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(requestLogs.retrieve, {
  summary: 'Retrieve a request log',
  examples: ['req_4bT9…', 'req_4bT9… --field error.message'],
})

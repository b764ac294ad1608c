import { requestLogs } from '../../src/api/operations/request-logs.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'
import { parseStatusFilter, statusFlag } from '../../src/cli/parse/log-filters.ts'

export default defineOperationCommand(requestLogs.list, {
  summary: 'List request logs, newest first',
  flagsBefore: statusFlag,
  examples: [
    '',
    '--status 4xx --limit 50',
    "--method POST --path /v1/customers --field 'data[].id'",
    "--path '!/v1/events*'",
  ],
  omit: ['status'],
  params: ({ status }) => parseStatusFilter(status),
})

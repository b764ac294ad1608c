import { requestLogs } from '../../src/api/operations/request-logs.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'
import { createParamFlags } from '../../src/cli/parse/flags.ts'
import { parseStatusFilter, statusFlag } from '../../src/cli/parse/log-filters.ts'

const OMITTED = ['status']

export default defineOperationCommand(requestLogs.list, {
  summary: 'List request logs, newest first',
  flags: { ...statusFlag, ...createParamFlags(requestLogs.list.params, { omit: OMITTED }) },
  examples: [
    '',
    '--status 4xx --limit 50',
    "--method POST --path /v1/customers --field 'data[].id'",
    "--path '!/v1/events*'",
  ],
  omit: OMITTED,
  params: ({ status }) => parseStatusFilter(status),
})

import { portalSessions } from '../../src/api/operations/portal-sessions.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(portalSessions.list, {
  summary: 'List portal sessions, newest first',
  examples: ['', '--status open --limit 100', '--customer cus_4bT9… --json'],
})

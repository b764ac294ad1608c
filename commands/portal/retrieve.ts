import { portalSessions } from '../../src/api/operations/portal-sessions.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(portalSessions.retrieve, {
  summary: 'Retrieve a portal session',
  examples: ['pt_sess_4bT9…', 'pt_sess_4bT9… --json', 'pt_sess_4bT9… --field status'],
})

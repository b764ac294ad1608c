import { portalSessions } from '../../src/api/operations/portal-sessions.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(portalSessions.retrieve, {
  summary: 'Retrieve a portal session',
  examples: ['pt_sess_4bT9…', 'pt_sess_4bT9… --json', 'pt_sess_4bT9… --field status'],
})

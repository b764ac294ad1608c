import { portalSessions } from '../../src/api/operations/portal-sessions.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(portalSessions.expire, { summary: 'Expire an open portal session' })

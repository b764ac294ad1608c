import { portalSessions } from '../../src/api/operations/portal-sessions.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(portalSessions.expire, { summary: 'Expire an open portal session' })

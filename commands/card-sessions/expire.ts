import { cardSessions } from '../../src/api/operations/card-sessions.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(cardSessions.expire, { summary: 'Expire an open card session' })

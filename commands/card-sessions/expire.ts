import { cardSessions } from '../../src/api/operations/card-sessions.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(cardSessions.expire, { summary: 'Expire an open card session' })

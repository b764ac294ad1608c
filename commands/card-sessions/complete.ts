import { cardSessions } from '../../src/api/operations/card-sessions.ts'
import { completeCommand } from '../../src/cli/command/session-command.ts'

export default completeCommand('card_sessions', cardSessions)

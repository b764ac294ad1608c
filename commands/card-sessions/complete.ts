import { cardSessions } from '../../src/api/operations/card-sessions.ts'
import { sessionCompleteCommand } from '../../src/cli/command/session-commands.ts'

export default sessionCompleteCommand('card_sessions', cardSessions)

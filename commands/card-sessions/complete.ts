import { cardSessions } from '../../src/api/operations/card-sessions.ts'
import { defineSessionCompleteCommand } from '../../src/cli/command/session-commands.ts'

export default defineSessionCompleteCommand('card_sessions', cardSessions)

import { cardSessions } from '../../src/api/operations/card-sessions.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(cardSessions.list, {
  summary: 'List card sessions, newest first',
  examples: ['', '--status complete --limit 100', '--customer cus_4bT9… --json'],
})

import { cardSessions } from '../../src/api/operations/card-sessions.ts'
import { defineOperationCommand } from '../../src/cli/command/operation-command.ts'

export default defineOperationCommand(cardSessions.retrieve, {
  summary: 'Retrieve a card session',
  examples: ['cd_sess_4bT9…', 'cd_sess_4bT9… --json', 'cd_sess_4bT9… --field payment_method'],
})

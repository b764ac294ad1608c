import { cardSessions } from '../../src/api/operations/card-sessions.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default operationCommand(cardSessions.retrieve, {
  summary: 'Retrieve a card session',
  examples: ['cd_sess_4bT9…', 'cd_sess_4bT9… --json', 'cd_sess_4bT9… --field payment_method'],
})

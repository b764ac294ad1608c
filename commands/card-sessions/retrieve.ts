import { cardSessions } from '../../src/api/operations/card-sessions.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class CardSessionsRetrieve extends operationCommand(cardSessions.retrieve, 'cd_sess_4bT9…') {
  static override summary = 'Retrieve a card session'
  static override aliases = ['card-sessions:get']
  static override examples = [
    '<%= config.bin %> <%= command.id %> cd_sess_4bT9…',
    '<%= config.bin %> <%= command.id %> cd_sess_4bT9… --json',
    '<%= config.bin %> <%= command.id %> cd_sess_4bT9… --field payment_method',
  ]
}

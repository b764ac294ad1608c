import { cardSessions } from '../../src/api/operations/card-sessions.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class CardSessionsList extends operationCommand(cardSessions.list) {
  static override summary = 'List card sessions, newest first'
  static override aliases = ['card-sessions:ls']
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --status complete --limit 100',
    '<%= config.bin %> <%= command.id %> --customer cus_4bT9… --json',
  ]
}

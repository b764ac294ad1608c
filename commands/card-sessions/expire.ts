import { cardSessions } from '../../src/api/operations/card-sessions.ts'
import { operationCommand } from '../../src/cli/command/operation-command.ts'

export default class CardSessionsExpire extends operationCommand(cardSessions.expire, 'cd_sess_4bT9…') {
  static override summary = 'Expire an open card session'
  static override examples = ['<%= config.bin %> <%= command.id %> cd_sess_4bT9…']
}

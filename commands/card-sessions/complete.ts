import { cardSessions } from '../../src/api/operations/card-sessions.ts'
import { BaseCommand } from '../../src/cli/command/base-command.ts'
import { idArg } from '../../src/cli/parse/id-arg.ts'
import { cardFlags, completeParams } from '../../src/cli/sessions/card-flags.ts'
import { summarizeSession } from '../../src/cli/views/result-summary.ts'

export default class CardSessionsComplete extends BaseCommand {
  static override summary = 'Complete a card session with a test card'
  static override args = idArg('cd_sess_4bT9…')
  static override flags = cardFlags
  static override examples = [
    '<%= config.bin %> <%= command.id %> cd_sess_4bT9… --card visa',
    '<%= config.bin %> <%= command.id %> cd_sess_4bT9… --card decline_after_attach',
    '<%= config.bin %> <%= command.id %> cd_sess_4bT9… --card sca_setup --three-d-secure reject',
  ]

  override async run(): Promise<void> {
    const { id, flags } = await this.readInput()
    const session = await this.client().call(cardSessions.complete, { id, ...completeParams(flags) })
    this.print(session, () => summarizeSession(session))
  }
}

import { StateCommand, statesFolder } from '../../src/cli/command/state-command.ts'
import { plainText } from '../../src/cli/output/values.ts'
import { listStates } from '../../src/daemon/states.ts'

export default class StateList extends StateCommand {
  static override summary = 'Lists the saved states, the newest first, and what they were saved from.'
  static override aliases = ['state:ls']
  static override flags = {}
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    "<%= config.bin %> <%= command.id %> --field '[].name'",
  ]

  override async run(): Promise<void> {
    await this.given()
    const states = await listStates(statesFolder())
    const rows = states.map(
      ({ name, saved_at, bytes, database }) =>
        `${saved_at}  ${String(bytes).padStart(12)}  ${plainText(name)}  ${plainText(database)}\n`,
    )
    this.printView(states, () => (rows.length === 0 ? 'Nothing was saved yet.\n' : rows.join('')))
  }
}

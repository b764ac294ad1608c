import { StateCommand, statesFolder } from '../../src/cli/command/state-command.ts'
import { formatValue } from '../../src/cli/output/format-values.ts'
import { listStates } from '../../src/daemon/states.ts'

export default class StateList extends StateCommand {
  static override summary = 'List saved states, newest first'
  static override aliases = ['state:ls']
  static override flags = {}
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    "<%= config.bin %> <%= command.id %> --field '[].name'",
  ]

  override async run(): Promise<void> {
    await this.readInput()
    const states = await listStates(statesFolder())
    const rows = states.map(
      ({ name, saved_at, bytes, database }) =>
        `${saved_at}  ${String(bytes).padStart(12)}  ${formatValue(name)}  ${formatValue(database)}\n`,
    )
    this.printView(states, () => (rows.length === 0 ? 'No saved states.\n' : rows.join('')))
  }
}

import { chosenDatabase } from '../../src/cli/chosen-database.ts'
import { printNote, renderText } from '../../src/cli/output.ts'
import { StateCommand, stateArg, stateFile } from '../../src/cli/state-command.ts'
import { restoreState } from '../../src/daemon/states.ts'

export default class StateRestore extends StateCommand {
  static override summary =
    'Puts a saved state in the place of what the database holds; stop the service before.'
  static override args = stateArg
  static override examples = [
    '<%= config.bin %> <%= command.id %> before-renewals',
    '<%= config.bin %> <%= command.id %> before-renewals --db ./payments.json',
  ]

  override async run(): Promise<void> {
    const { words, flags } = await this.given()
    const [name = ''] = words
    const database = chosenDatabase(flags['db'])
    const restored = await restoreState(stateFile(name), database)
    this.print({ name, database, records: restored.records }, () => null)
    printNote(renderText(`${database} is as it was when '${name}' was saved.`))
  }
}

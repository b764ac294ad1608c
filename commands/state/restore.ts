import { StateCommand, savedStateFile, stateArg, statesFolder } from '../../src/cli/command/state-command.ts'
import { printNote, renderText } from '../../src/cli/output/output.ts'
import { databaseOfState, stateDatabaseFlag } from '../../src/cli/serve/chosen-database.ts'
import { listStates, originOf, restoreState } from '../../src/daemon/states.ts'

export default class StateRestore extends StateCommand {
  static override summary =
    'Puts a saved state in the place of what the database holds; stop the service before.'
  static override description =
    'Unless --db names another one it is the database that the state was saved from; which one that is, is told.'
  static override args = stateArg
  static override flags = { db: stateDatabaseFlag }
  static override examples = [
    '<%= config.bin %> <%= command.id %> before-renewals',
    '<%= config.bin %> <%= command.id %> before-renewals --db ./payments.json',
  ]

  override async run(): Promise<void> {
    const { words, flags } = await this.given()
    const [name = ''] = words
    const file = savedStateFile(name, await listStates(statesFolder()))
    const savedFrom = await originOf(file)
    const { database, records } = await restoreState(file, databaseOfState(name, flags['db'], savedFrom))
    this.print({ name, database, records }, () => null)
    printNote(renderText(`${database} is as it was when '${name}' was saved.`))
  }
}

import { StateCommand, savedStateFile, stateArg, statesFolder } from '../../src/cli/command/state-command.ts'
import { printNote, renderText } from '../../src/cli/output/output.ts'
import { resolveStateDatabase, stateDatabaseFlag } from '../../src/cli/serve/resolve-database.ts'
import { listStates, readStateOrigin, restoreState } from '../../src/daemon/states.ts'

export default class StateRestore extends StateCommand {
  static override summary = 'Replace the data of a database with a saved state'
  static override description =
    'Stop the server first. Without --db, restores the database from which the state was saved, and prints the name of that database.'
  static override args = stateArg
  static override flags = { db: stateDatabaseFlag }
  static override examples = [
    '<%= config.bin %> <%= command.id %> before-renewals',
    '<%= config.bin %> <%= command.id %> before-renewals --db ./payments.json',
  ]

  override async run(): Promise<void> {
    const { words, flags } = await this.readInput()
    const [name = ''] = words
    const file = savedStateFile(name, await listStates(statesFolder()))
    const savedFrom = await readStateOrigin(file)
    const { database, records } = await restoreState(file, resolveStateDatabase(name, flags['db'], savedFrom))
    this.print({ name, database, records }, () => null)
    printNote(renderText(`Restored state '${name}' to ${database}.`))
  }
}

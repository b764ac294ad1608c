import { StateCommand, savedStateFile, stateArg, statesFolder } from '../../src/cli/command/state-command.ts'
import { terminalWidth } from '../../src/cli/output/output.ts'
import { databaseOfState, stateDatabaseFlag } from '../../src/cli/serve/chosen-database.ts'
import { differenceOf, viewDifferences } from '../../src/cli/timeline/state-differences.ts'
import { differences, listStates, originOf } from '../../src/daemon/states.ts'

export default class StateDiff extends StateCommand {
  static override summary = 'Tells what has become different since a state was saved.'
  static override description =
    'Of an object that has changed, each field is told with what it was and what it is.'
  static override args = stateArg
  static override flags = { db: stateDatabaseFlag }
  static override examples = [
    '<%= config.bin %> <%= command.id %> before-renewals',
    "<%= config.bin %> <%= command.id %> before-renewals --field '[].id'",
  ]

  override async run(): Promise<void> {
    const { words, flags } = await this.given()
    const [name = ''] = words
    const file = savedStateFile(name, await listStates(statesFolder()))
    const savedFrom = await originOf(file)
    const found = await differences(file, databaseOfState(name, flags['db'], savedFrom))
    this.printView(found.map(differenceOf), () => viewDifferences(found, terminalWidth()))
  }
}

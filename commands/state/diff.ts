import { databaseOfState, stateDatabaseFlag } from '../../src/cli/chosen-database.ts'
import { StateCommand, savedStateFile, stateArg, statesFolder } from '../../src/cli/state-command.ts'
import { plainText } from '../../src/cli/values.ts'
import { differences, listStates, originOf } from '../../src/daemon/states.ts'

export default class StateDiff extends StateCommand {
  static override summary = 'Tells what has become different since a state was saved.'
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
    const width = Math.max(0, ...found.map(({ object }) => object.length))
    this.printView(found, () =>
      found.length === 0
        ? 'Nothing is different.\n'
        : found
            .map(
              ({ change, object, id }) => `${change.padEnd(7)}  ${object.padEnd(width)}  ${plainText(id)}\n`,
            )
            .join(''),
    )
  }
}

import { sandboxFlag, toExamples } from '../../src/cli/command/base-command.ts'
import {
  getStatesFolder,
  requireSavedStatePath,
  resolveStateTargetSandbox,
  StateCommand,
  stateArg,
} from '../../src/cli/command/state-command.ts'
import { resolveStateTargetDatabase, stateTargetDatabaseFlag } from '../../src/cli/serve/resolve-database.ts'
import { formatDifferences, toStateDifference } from '../../src/cli/timeline/state-differences.ts'
import { resolveSandboxId } from '../../src/daemon/resolve-sandbox-id.ts'
import { diffDatabases, listStates, readStateOrigin } from '../../src/daemon/states.ts'

export default class StateDiff extends StateCommand {
  static override summary = 'Show the changes since a saved state'
  static override description =
    'Prints added, removed and changed objects, and the old and new value of each changed field.'
  static override args = stateArg
  static override flags = { db: stateTargetDatabaseFlag, sandbox: sandboxFlag }
  static override examples = toExamples(['before-renewals', "before-renewals --field '[].id'"])

  override async run(): Promise<void> {
    const { words, flags } = await this.readInput()
    const [name = ''] = words
    const file = requireSavedStatePath(name, await listStates(getStatesFolder()))
    const origin = await readStateOrigin(file)
    const database = resolveStateTargetDatabase(name, flags['db'], origin.database)
    const sandbox = await resolveSandboxId(
      database,
      resolveStateTargetSandbox(name, flags['sandbox'], origin.sandbox),
    )
    const found = await diffDatabases(file, database, sandbox)
    this.printView(found.map(toStateDifference), (_, { width }) => formatDifferences(found, width))
  }
}

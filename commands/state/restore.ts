import { sandboxFlag, toExamples } from '../../src/cli/command/base-command.ts'
import {
  getStatesFolder,
  requireSavedStatePath,
  resolveStateTargetSandbox,
  StateCommand,
  stateArg,
} from '../../src/cli/command/state-command.ts'
import { printNote } from '../../src/cli/output/output.ts'
import { resolveStateTargetDatabase, stateTargetDatabaseFlag } from '../../src/cli/serve/resolve-database.ts'
import { resolveSandboxId } from '../../src/daemon/resolve-sandbox-id.ts'
import { listStates, readStateOrigin, restoreState } from '../../src/daemon/states.ts'

export default class StateRestore extends StateCommand {
  static override summary = 'Replace the data of a database with a saved state'
  static override description =
    'Stop the server first. Without --db, restores the database from which the state was saved, and prints the name of that database. With --sandbox, replaces the data of a durable sandbox; its keys remain valid. A state of a sandbox requires --sandbox.'
  static override args = stateArg
  static override flags = { db: stateTargetDatabaseFlag, sandbox: sandboxFlag }
  static override examples = toExamples(['before-renewals', 'before-renewals --db ./payments.json'])

  override async run(): Promise<void> {
    const { words, flags } = await this.readInput()
    const [name = ''] = words
    const file = requireSavedStatePath(name, await listStates(getStatesFolder()))
    const origin = await readStateOrigin(file)
    const target = resolveStateTargetDatabase(name, flags['db'], origin.database)
    const sandbox = resolveStateTargetSandbox(name, flags['sandbox'], origin.sandbox)
    const { database, records } = await restoreState(file, target, await resolveSandboxId(target, sandbox))
    this.print({ name, database, records }, () => null)
    printNote(
      `Restored state '${name}' to ${sandbox === 'default' ? '' : `the sandbox ${sandbox} of `}${database}.`,
    )
  }
}

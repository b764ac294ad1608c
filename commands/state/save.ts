import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { toExamples } from '../../src/cli/command/base-command.ts'
import { getStatePath, StateCommand, stateArg } from '../../src/cli/command/state-command.ts'
import { UsageError } from '../../src/cli/errors/usage-error.ts'
import { printNote } from '../../src/cli/output/output.ts'
import { toShellCommand } from '../../src/cli/output/shell-command.ts'
import { boolean } from '../../src/cli/parse/flag-builders.ts'
import { findFlagText } from '../../src/cli/parse/params.ts'
import { formatDatabaseFlag, resolveServerDatabase } from '../../src/cli/serve/resolve-database.ts'
import { getWritableHomeFolder } from '../../src/cli/service/home.ts'
import { resolveSandboxId } from '../../src/daemon/resolve-sandbox-id.ts'
import { saveState } from '../../src/daemon/states.ts'

const PRIVATE_FOLDER = 0o700

export default class StateSave extends StateCommand {
  static override summary = 'Save the data of a database under a name'
  static override description =
    'A server may use the database at the same time. With --sandbox, saves a durable sandbox.'
  static override args = stateArg
  static override flags = {
    ...StateCommand.flags,
    force: boolean({ description: 'Replace a state of this name.' }),
  }
  static override examples = toExamples(['before-renewals', 'before-renewals --force --db ./payments.json'])

  override async run(): Promise<void> {
    const { words, flags } = await this.readInput()
    const [name = ''] = words
    const folder = join(getWritableHomeFolder(process.env), 'states')
    const file = getStatePath(name, folder)
    const database = await resolveServerDatabase(flags['db'])
    if (flags['force'] !== true && existsSync(file)) {
      throw new UsageError('state_exists', `State '${name}' already exists.`, {
        hint: 'Choose another name, or replace it with --force.',
      })
    }
    const sandbox = findFlagText(flags['sandbox'])
    const sandboxId = await resolveSandboxId(database, sandbox)
    await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER })
    const saved = await saveState(database, file, sandboxId)
    this.print({ name, ...saved }, () => null)
    const sandboxHint = sandbox === undefined ? '' : ` ${toShellCommand(['--sandbox', sandbox])}`
    const subject = sandbox === undefined ? saved.database : `the sandbox ${sandbox} of ${saved.database}`
    const restore = `paycli state restore ${name}${formatDatabaseFlag(database)}${sandboxHint}`
    printNote(`Saved ${subject}. Restore it: ${restore}`)
  }
}

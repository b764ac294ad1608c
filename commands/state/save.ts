import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { chosenDatabase, sameDatabaseFlag } from '../../src/cli/chosen-database.ts'
import { userHome } from '../../src/cli/home.ts'
import { boolean } from '../../src/cli/options.ts'
import { printNote, renderText } from '../../src/cli/output.ts'
import { StateCommand, stateArg, stateFile } from '../../src/cli/state-command.ts'
import { UsageError } from '../../src/cli/usage-error.ts'
import { hasState, saveState } from '../../src/daemon/states.ts'

const OWNERS_FOLDER = 0o700

export default class StateSave extends StateCommand {
  static override summary = 'Saves all that a database holds under a name; the service may run meanwhile.'
  static override args = stateArg
  static override flags = {
    ...StateCommand.flags,
    force: boolean({ description: 'Replace a state of this name.' }),
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %> before-renewals',
    '<%= config.bin %> <%= command.id %> before-renewals --force --db ./payments.json',
  ]

  override async run(): Promise<void> {
    const { words, flags } = await this.given()
    const [name = ''] = words
    const folder = join(userHome(process.env), 'states')
    const file = stateFile(name, folder)
    const database = await chosenDatabase(flags['db'])
    if (flags['force'] !== true && (await hasState(file))) {
      throw new UsageError('state_exists', `There is a state '${name}' already.`, {
        hint: 'Choose another name, or replace it with --force.',
      })
    }
    await mkdir(folder, { recursive: true, mode: OWNERS_FOLDER })
    const saved = await saveState(database, file)
    this.print({ name, ...saved }, () => null)
    const restore = `paycli state restore ${name}${sameDatabaseFlag(database)}`
    printNote(renderText(`Saved ${saved.database}. Bring it back: ${restore}`))
  }
}

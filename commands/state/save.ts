import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { StateCommand, stateArg, stateFile } from '../../src/cli/command/state-command.ts'
import { UsageError } from '../../src/cli/errors/usage-error.ts'
import { printNote, renderText } from '../../src/cli/output/output.ts'
import { boolean } from '../../src/cli/parse/options.ts'
import { chosenDatabase, sameDatabaseFlag } from '../../src/cli/serve/chosen-database.ts'
import { userHome } from '../../src/cli/service/home.ts'
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

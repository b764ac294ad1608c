import { toExamples } from '../../src/cli/command/base-command.ts'
import { StateCommand } from '../../src/cli/command/state-command.ts'
import { printNote } from '../../src/cli/output/output.ts'
import { createProgressDisplay } from '../../src/cli/output/progress.ts'
import { textArg } from '../../src/cli/parse/flag-builders.ts'
import { parseDatabase } from '../../src/cli/serve/serve-flags.ts'
import { copyDatabase } from '../../src/daemon/copy-database.ts'

/**
 * Minimum number of records for a progress display. Copies of fewer records end before the user could read the
 * progress.
 */
const MIN_RECORDS = 5000

const SERVE_IT = 'Serve it: PAYCLI_DB=<the same URL> paycli serve'

export default class StateCopy extends StateCommand {
  static override summary = 'Copy a database to an empty file or PostgreSQL database'
  static override description =
    'Copies the durable sandboxes too. A server may use the source during the copy. Later changes are not copied.'
  static override flags = {}
  static override args = {
    from: textArg({ description: 'Source database, a file or a postgres:// URL.', required: true }),
    to: textArg({
      description: 'Target database, a new file or the postgres:// URL of an empty database.',
      required: true,
    }),
  }
  static override examples = toExamples([
    './payments.json postgres://paycli@db.example/paycli',
    'postgres://paycli@db.example/paycli ./payments.json',
  ])

  override async run(): Promise<void> {
    const { words } = await this.readInput()
    const [from = '', to = ''] = words
    const progress = createProgressDisplay('Copying', process.stderr, MIN_RECORDS)
    const target = parseDatabase(to)
    const copied = await copyDatabase(parseDatabase(from), target, progress.show)
    progress.clear()
    this.print(copied, () => null)
    // Printed URLs omit the password, so the user must add the password.
    printNote(target === copied.to ? `Serve it: paycli serve --db ${target}` : SERVE_IT)
  }
}

import { StateCommand } from '../../src/cli/command/state-command.ts'
import { printNote, renderText } from '../../src/cli/output/output.ts'
import { createProgress } from '../../src/cli/output/progress.ts'
import { word } from '../../src/cli/parse/options.ts'
import { parseDatabase } from '../../src/cli/serve/serve-flags.ts'
import { copyState } from '../../src/daemon/states.ts'

/** Fewer are copied before anybody could read of it. */
const MIN_RECORDS = 5000

const SERVE_IT = 'Serve it: PAYCLI_DB=<the same URL> paycli serve'

export default class StateCopy extends StateCommand {
  static override summary =
    'Copies all that a database holds to an empty one: a file or a PostgreSQL database.'
  static override description =
    'A service may use the first one meanwhile; what it stores after the copy was begun is not copied.'
  static override flags = {}
  static override args = {
    from: word({ description: 'The database to copy: a file or a postgres:// URL.', required: true }),
    to: word({ description: 'Where to: a new file, or the URL of an empty database.', required: true }),
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %> ./payments.json postgres://paycli@db.example/paycli',
    '<%= config.bin %> <%= command.id %> postgres://paycli@db.example/paycli ./payments.json',
  ]

  override async run(): Promise<void> {
    const { words } = await this.given()
    const [from = '', to = ''] = words
    const progress = createProgress('Copying', process.stderr, MIN_RECORDS)
    const target = parseDatabase(to)
    const copied = await copyState(parseDatabase(from), target, progress.show)
    progress.clear()
    this.print(copied, () => null)
    // What is told of a URL is without its password, and so would not do.
    printNote(renderText(target === copied.to ? `Serve it: paycli serve --db ${target}` : SERVE_IT))
  }
}

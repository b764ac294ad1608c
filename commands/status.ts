import { BaseCommand } from '../src/cli/command/base-command.ts'
import { UsageError } from '../src/cli/errors/usage-error.ts'
import { EXIT_CODES } from '../src/cli/output/exit-codes.ts'
import { viewObject } from '../src/cli/output/object-view.ts'
import { printData, printNote, renderText } from '../src/cli/output/output.ts'
import { printAnswer } from '../src/cli/output/render-response.ts'
import { createStyle } from '../src/cli/output/style.ts'
import { boolean, string } from '../src/cli/parse/options.ts'
import { envLines, variablesOf, writeEnvFile } from '../src/cli/serve/env-file.ts'
import { type RunningService, readyStatusOf, runningServices } from '../src/cli/service/service-status.ts'

export default class Status extends BaseCommand {
  static override summary = 'Tells where the service is that commands talk to, and what opens it.'
  static override description =
    'Exits with 3 when it does not answer, or its database is away, and with 4 when it refuses the key.'
  static override flags = {
    output: string({
      char: 'o',
      description: 'How to print it; env is the variables with which programs find it.',
      options: ['text', 'json', 'env'],
    }),
    all: boolean({
      description: 'List all services of this user that run on this machine.',
      exclusive: ['output', 'write'],
    }),
    write: string({
      description: 'Also set these variables in this .env file.',
      helpValue: '<file>',
    }),
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --field api_key',
    '<%= config.bin %> <%= command.id %> --output env',
    '<%= config.bin %> <%= command.id %> --write .env.local',
    "<%= config.bin %> <%= command.id %> --all --field '[].api_url'",
  ]

  override async run(): Promise<void> {
    const { flags } = await this.given()
    if (flags['all'] === true) {
      refuseOneService(this.argv)
      return this.listAll()
    }
    const status = await readyStatusOf(flags, process.env)
    if (status.database === 'away') {
      printNote('Its database is away: requests are refused with 503 until it is back. Its log says why.')
      process.exitCode = EXIT_CODES.unreachable
    }
    const { output, write } = flags
    const variables = variablesOf(status)
    // What cannot be written leaves nothing on stdout either.
    if (typeof write === 'string') await writeEnvFile(write, variables)
    if (output === 'env') printData(renderText(envLines(variables)))
    else if (output === 'text') printData(viewObject(status, createStyle(false)))
    else printAnswer(status, output === 'json' ? { ...flags, json: true } : flags)
    if (typeof write === 'string')
      printNote(renderText(`Set in ${write}: ${Object.keys(variables).join(', ')}`))
  }

  private async listAll(): Promise<void> {
    const services = await runningServices(process.env)
    this.printView(services, () => (services.length === 0 ? NONE : services.map(lineOf).join('')))
  }
}

// A service that the environment names is no reason against listing all of them; a flag would be ignored.
function refuseOneService(argv: readonly string[]): void {
  const flag = argv.map((word) => word.replace(/=.*$/s, '')).find((word) => ONE_SERVICE.includes(word))
  if (flag === undefined) return
  throw new UsageError('flag_invalid', `${flag} and --all cannot both be given.`, {
    hint: 'Leave one of them out: --all lists the services of this machine.',
  })
}

const ONE_SERVICE = ['--api-base', '--api-key', '--profile']

const NONE = 'No paycli of yours runs here.\n'

function lineOf({ api_url, pid, db, is_default }: RunningService): string {
  const note = is_default ? '' : `  (for commands: --api-base ${api_url})`
  return renderText(`${api_url}  process ${pid}  ${db ?? 'in memory'}${note}\n`)
}

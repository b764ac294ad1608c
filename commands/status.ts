import { BaseCommand, toExamples } from '../src/cli/command/base-command.ts'
import { UsageError } from '../src/cli/errors/usage-error.ts'
import { EXIT_CODES } from '../src/cli/output/exit-codes.ts'
import { isStdoutTerminal, printNote, writeTextToStdout, writeToStdout } from '../src/cli/output/output.ts'
import { printJsonOrFields } from '../src/cli/output/render-response.ts'
import { createStyle } from '../src/cli/output/style.ts'
import { boolean, string } from '../src/cli/parse/flag-builders.ts'
import { formatEnvLines, toEnvironmentVariables, writeEnvFile } from '../src/cli/serve/env-file.ts'
import {
  listRunningServices,
  type RunningDaemonStatus,
  readStatusWithReadiness,
} from '../src/cli/service/service-status.ts'
import { formatRows } from '../src/cli/views/list-view.ts'
import { formatPathValueLines } from '../src/cli/views/object-paths-view.ts'
import type { RenderedText, ViewOptions } from '../src/cli/views/view-options.ts'

export default class Status extends BaseCommand {
  static override summary = 'Show the server that commands use'
  static override description =
    'Prints the addresses and the API key of the server. Exits with 3 if the server does not respond or its database is unavailable. Exits with 4 if the server rejects the API key.'
  static override flags = {
    output: string({
      char: 'o',
      description: 'Output format. Use env to print environment variables for programs.',
      options: ['text', 'json', 'env'],
    }),
    all: boolean({
      description: 'List all servers of the current user on this machine.',
      exclusive: ['output', 'write'],
    }),
    write: string({
      description: 'Also write the environment variables to this .env file.',
      helpValue: '<file>',
    }),
  }
  static override examples = toExamples([
    '',
    '--field api_key',
    '--output env',
    '--write .env.local',
    "--all --field '[].api_url'",
  ])

  override async run(): Promise<void> {
    const { flags } = await this.readInput()
    if (flags['all'] === true) {
      rejectServiceFlags(this.argv)
      return this.listAll()
    }
    const status = await readStatusWithReadiness(flags, process.env)
    if (status.database === 'away') {
      printNote(
        'The database is unavailable: requests fail with 503 until it is available again. See the log of the server.',
      )
      process.exitCode = EXIT_CODES.unreachable
    }
    const { output, write } = flags
    const variables = toEnvironmentVariables(status)
    // Write the file before printing, so that a failed write prints nothing on stdout.
    if (typeof write === 'string') await writeEnvFile(write, variables)
    if (output === 'env') writeTextToStdout(formatEnvLines(variables))
    else if (output === 'text' && !isStdoutTerminal())
      writeToStdout(formatPathValueLines(status, createStyle(false)))
    else if (output === 'json') printJsonOrFields(status, { ...flags, json: true })
    else this.print(this.isTextOutput() ? omitUnused(status) : status)
    if (typeof write === 'string') printNote(`Set in ${write}: ${Object.keys(variables).join(', ')}`)
  }

  private async listAll(): Promise<void> {
    const services = await listRunningServices(process.env)
    this.printView(services, (_, view) => (services.length === 0 ? NONE : formatServices(services, view)))
  }
}

/** Rows of a terminal that appear only with a value. */
const OPTIONAL_ROWS = ['public_api_url', 'db', 'sandboxes']

function omitUnused(status: object): object {
  const rows = Object.entries(status).filter(([name, value]) => value || !OPTIONAL_ROWS.includes(name))
  return Object.fromEntries(rows)
}

// Reject flags that name a server, because the command would ignore them. Environment variables are allowed.
function rejectServiceFlags(argv: readonly string[]): void {
  const flag = argv.map((word) => word.replace(/=.*$/s, '')).find((word) => SERVICE_FLAGS.includes(word))
  if (flag === undefined) return
  throw new UsageError('flag_invalid', `${flag} and --all cannot both be given.`, {
    hint: 'Omit one of them: --all lists the servers on this machine.',
  })
}

const SERVICE_FLAGS = ['--api-base', '--api-key', '--profile', '--sandbox']

const NONE = 'You have no running server on this machine.\n'

function formatServices(services: readonly RunningDaemonStatus[], view: ViewOptions): RenderedText {
  const rows = services.map(({ api_url, pid, db, is_default }) => ({
    api_base: api_url,
    use: is_default ? 'by default' : `--api-base ${api_url}`,
    pid,
    database: db ?? 'in memory',
  }))
  return formatRows(rows, ['api_base', 'database', 'pid', 'use'], view)
}

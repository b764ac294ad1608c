import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { boolean, integer, string } from '@oclif/core/flags'
import type { InferredFlags } from '@oclif/core/interfaces'
import { BaseCommand } from '../src/cli/base-command.ts'
import { parseForwardTarget } from '../src/cli/forward-target.ts'
import { userHome } from '../src/cli/home.ts'
import { printData, printNote } from '../src/cli/output.ts'
import { readyNote } from '../src/cli/ready-note.ts'
import { createStyle, isColorWanted } from '../src/cli/style.ts'
import { createLog, type LogFormat } from '../src/daemon/log.ts'
import { type Daemon, startDaemon } from '../src/daemon/start.ts'

const EXIT_AFTER_INTERRUPT = 130
const PRIVATE_FILE_MODE = 0o600

export default class Serve extends BaseCommand {
  static override summary = 'Starts the payment service: the API, the hosted pages and the webhooks.'
  static override description =
    'Everything is kept in one JSON file, unless --memory is given. The API key and the webhook secret stay the same from run to run. Stops on ^C.'
  static override baseFlags = {}
  static override flags = {
    port: integer({
      description: 'Port of the API; 0 takes a free one.',
      default: 4100,
      min: 0,
      max: 65_535,
    }),
    'checkout-port': integer({
      description: 'Port of the hosted pages; 0 takes a free one. Free too when --port is 0.',
      min: 0,
      max: 65_535,
    }),
    'checkout-url': string({
      description: 'Where buyers reach the pages, if not at the local address.',
      helpValue: '<url>',
    }),
    db: string({
      description: "The database file; paycli.json in paycli's own folder unless given.",
      helpValue: '<file>',
      exclusive: ['memory'],
    }),
    memory: boolean({ description: 'Keep everything in memory and forget it at the end.' }),
    'forward-to': string({
      char: 'f',
      description: 'Send all events here: a port, a port with a path, or a URL. Repeat for more.',
      helpValue: '<url|port>',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'retry-schedule': string({
      description: 'Waits between delivery attempts, such as 1s,5s,30s.',
      helpValue: '<waits>',
      exclusive: ['no-retry'],
    }),
    'no-retry': boolean({ description: 'Make one delivery attempt only.' }),
    'api-key': string({
      description: 'Admit this API key instead of the one that is kept.',
      helpValue: '<key>',
      env: 'PAYCLI_API_KEY',
    }),
    json: boolean({ description: 'Print where everything is as JSON, on the first line of stdout.' }),
    'ready-file': string({
      description: 'Write the same JSON to this file once the service answers.',
      helpValue: '<file>',
    }),
    'log-format': string({
      description: 'How requests are logged to stderr.',
      options: ['pretty', 'json', 'silent'],
      default: 'pretty',
    }),
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --forward-to 3000/webhooks',
    '<%= config.bin %> <%= command.id %> --db ./payments.json --port 0 --json',
    '<%= config.bin %> <%= command.id %> --memory --ready-file ready.json --log-format silent',
  ]

  override async run(): Promise<void> {
    const { flags } = await this.parse(Serve)
    const daemon = await start(flags)
    const place = `${JSON.stringify(daemon.location)}\n`
    if (flags.json) printData(place)
    if (flags['ready-file'] !== undefined) {
      await writeFile(flags['ready-file'], place, { mode: PRIVATE_FILE_MODE })
    }
    const style = createStyle(isColorWanted(undefined, process.env, process.stderr.isTTY === true))
    printNote(readyNote(daemon.location, daemon.readyAfterMs, style))
    process.exitCode = await untilStopped(daemon)
  }
}

type Flags = InferredFlags<typeof Serve.flags>

function start(flags: Flags): Promise<Daemon> {
  const home = userHome(process.env)
  const freeIfAsked = flags.port === 0 ? 0 : 4101
  return startDaemon({
    home,
    db: flags.memory ? null : resolve(flags.db ?? join(home, 'paycli.json')),
    port: flags.port,
    checkoutPort: flags['checkout-port'] ?? freeIfAsked,
    ...(flags['checkout-url'] === undefined ? {} : { checkoutUrl: flags['checkout-url'] }),
    ...(flags['api-key'] === undefined ? {} : { apiKey: flags['api-key'] }),
    forwardTo: (flags['forward-to'] ?? []).map(parseForwardTarget),
    retries: flags['no-retry'] ? 'none' : (flags['retry-schedule'] ?? 'default'),
    log: createLog(flags['log-format'] as LogFormat, (line) => process.stderr.write(line)),
    pid: process.pid,
  })
}

/** Resolves with the exit code once a signal came and the daemon has stopped; a second signal ends at once. */
function untilStopped(daemon: Daemon): Promise<number> {
  return new Promise((resolve, reject) => {
    const stop = (code: number) => {
      process.once('SIGINT', () => process.exit(EXIT_AFTER_INTERRUPT))
      daemon.stop().then(() => resolve(code), reject)
    }
    process.once('SIGINT', () => stop(EXIT_AFTER_INTERRUPT))
    process.once('SIGTERM', () => stop(0))
  })
}

import { join, resolve } from 'node:path'
import type { InferredFlags } from '@oclif/core/interfaces'
import { BaseCommand } from '../src/cli/command/base-command.ts'
import { seedFrom } from '../src/cli/fixtures/seeding.ts'
import { type Forwarding, parseForwarding } from '../src/cli/listen/forward-flags.ts'
import { printData, printNote, printWarning } from '../src/cli/output/output.ts'
import { createProgress, type Progress } from '../src/cli/output/progress.ts'
import { createStyle, isColorWanted } from '../src/cli/output/style.ts'
import { boolean, integer, string } from '../src/cli/parse/options.ts'
import { reportReady, serveDetached } from '../src/cli/serve/detached.ts'
import { untilStdinEnds, untilStopped } from '../src/cli/serve/interrupts.ts'
import { parseListenHost } from '../src/cli/serve/listen-host.ts'
import { plainHttpWarning } from '../src/cli/serve/plain-http.ts'
import { readyNote } from '../src/cli/serve/ready-note.ts'
import {
  databaseFlags,
  EXHAUSTION_CHOICES,
  flagError,
  pagesFlags,
  pagesPort,
  parseAdmittedKey,
  parseBusinessName,
  parseDatabase,
  parseDunning,
  parseFreezeTime,
  parseOwnUrl,
  parseWebhookSecret,
  processFlags,
} from '../src/cli/serve/serve-flags.ts'
import { homeWarning, userHome } from '../src/cli/service/home.ts'
import { processStart } from '../src/cli/service/process-start.ts'
import { isServed } from '../src/cli/service/service-status.ts'
import { openInBrowser } from '../src/cli/sessions/browser.ts'
import type { DaemonOptions } from '../src/daemon/daemon-options.ts'
import { createIds } from '../src/daemon/ids.ts'
import { createLog, type LogFormat } from '../src/daemon/log.ts'
import { writeJson } from '../src/daemon/private-json.ts'
import { createFrozenClock, createSeededIds } from '../src/daemon/reproducible.ts'
import { type Daemon, startDaemon } from '../src/daemon/start.ts'

const EXIT_AFTER_FAILURE = 1

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
    host: string({
      description: 'The address to listen on; other than 127.0.0.1 only with --dangerously-expose.',
      helpValue: '<ip>',
      default: '127.0.0.1',
    }),
    'dangerously-expose': boolean({
      description: 'Let other machines reach the service at --host, such as a team its staging machine.',
      dependsOn: ['host'],
    }),
    'api-url': string({
      description: 'Where others reach the API, if not at the local address.',
      helpValue: '<url>',
    }),
    ...pagesFlags,
    ...databaseFlags,
    'forward-to': string({
      char: 'f',
      description: 'Send events here: a port, a port with a path, or a URL. Repeat for more.',
      helpValue: '<url|port>',
      multiple: true,
      multipleNonGreedy: true,
    }),
    events: string({
      char: 'e',
      description:
        'Forward only these, such as invoice.* or *.completed; with ! all but these. Repeat for more.',
      helpValue: '<glob>',
      multiple: true,
      multipleNonGreedy: true,
      delimiter: ',',
    }),
    route: string({
      description: "Send some events elsewhere too, such as 'invoice.*=3000/invoices'. Repeat for more.",
      helpValue: '<glob=url|port>',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'webhook-secret': string({
      description: 'Sign what is forwarded with this secret; the one that is kept unless given.',
      helpValue: '<whsec_…>',
      env: 'PAYCLI_WEBHOOK_SECRET',
    }),
    'public-webhooks-only': boolean({
      description: 'Refuse to send webhooks to private addresses, for a service that others can reach.',
    }),
    'allow-webhooks-to': string({
      description:
        'A network that --public-webhooks-only and --dangerously-expose let pass, such as 10.0.0.0/8. Repeat for more.',
      helpValue: '<network>',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'retry-schedule': string({
      description: 'Waits between delivery attempts, such as 1s,5s,30s.',
      helpValue: '<waits>',
      exclusive: ['no-retry'],
    }),
    'no-retry': boolean({ description: 'Make one delivery attempt only.' }),
    dunning: string({
      description:
        'Days from each failed charge of an invoice to the next, 3,5,7 unless given; none tries once.',
      helpValue: '<days|none>',
    }),
    'on-exhausted': string({
      description: 'What becomes of the subscription after the last of them, cancel unless given.',
      options: EXHAUSTION_CHOICES,
    }),
    'rate-limit': integer({
      description: 'Requests a second that a key may make, twice as many in a burst; no limit unless given.',
      helpValue: '<requests>',
      min: 1,
      max: 1_000_000,
    }),
    'trust-proxy': boolean({
      description: 'Tell visitors apart by what a proxy before the pages adds to X-Forwarded-For.',
      dependsOn: ['rate-limit'],
    }),
    lenient: boolean({
      description: 'Ignore parameters that are not known, and name them in a Paycli-Warning header.',
    }),
    'api-key': string({
      description: 'Admit this API key too; the one that is kept stays valid.',
      helpValue: '<key>',
      env: 'PAYCLI_API_KEY',
    }),
    'freeze-time': string({
      description: 'Let real time stand still at this moment; for tests that compare byte by byte.',
      helpValue: '<unix|iso date>',
    }),
    deterministic: string({
      description:
        'With --memory: ids, keys and secrets follow from this text, so the same requests give the same answers, events and webhooks. Of an idempotency key that is a UUID events tell one that follows from it.',
      helpValue: '<seed>',
      dependsOn: ['memory'],
    }),
    'seed-file': string({
      description:
        'Carry out the requests of this fixture file before saying that it is ready. Repeat for more.',
      helpValue: '<json file>',
      multiple: true,
      multipleNonGreedy: true,
    }),
    ...processFlags,
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --forward-to 3000/webhooks',
    "<%= config.bin %> <%= command.id %> -f 3000/webhooks -e 'invoice.*' -e '!invoice.updated' --route 'customer.*=3001'",
    '<%= config.bin %> <%= command.id %> --db ./payments.json --port 0 --json',
    '<%= config.bin %> <%= command.id %> --dunning 1,1 --on-exhausted unpaid',
    '<%= config.bin %> <%= command.id %> --host 0.0.0.0 --dangerously-expose --api-url http://staging.example:4100 --checkout-url http://staging.example:4101',
    '<%= config.bin %> <%= command.id %> --db postgres://paycli@db.example/paycli',
    '<%= config.bin %> <%= command.id %> --detach',
    '<%= config.bin %> <%= command.id %> --db ./payments.json --reset --open',
    '<%= config.bin %> <%= command.id %> --memory --deterministic golden --freeze-time 2026-01-31T08:00:00Z --seed-file shop.json',
    '<%= config.bin %> <%= command.id %> --memory --ready-file ready.json --log-format silent',
  ]

  override async run(): Promise<void> {
    const { flags } = await this.parse(Serve)
    if (flags.detach) return serveDetached(this.argv, flags.json)
    const broken = Promise.withResolvers<number>()
    const forwarding = parseForwarding({
      targets: flags['forward-to'] ?? [],
      events: flags.events ?? [],
      routes: flags.route ?? [],
    })
    const progress = createProgress('Loading the database', process.stderr)
    const daemon = await start(flags, {
      forwarding,
      progress,
      onBroken: () => broken.resolve(EXIT_AFTER_FAILURE),
    })
    progress.clear()
    // Whoever reads that it is ready may stop it at once.
    const over = flags['until-stdin-ends'] ? [broken.promise, untilStdinEnds()] : [broken.promise]
    const stopped = untilStopped(daemon.stop, Promise.race(over))
    try {
      await seedFrom(flags['seed-file'] ?? [], daemon.location)
      await announce(daemon, flags, forwarding)
      if (flags.open) await openInBrowser(`${daemon.location.api_url}/docs`)
    } catch (error) {
      await daemon.stop()
      throw error
    }
    process.exitCode = await stopped
    printNote('Stopped.')
  }
}

type Flags = InferredFlags<typeof Serve.flags>

interface Circumstances {
  readonly forwarding: readonly Forwarding[]
  readonly progress: Progress
  readonly onBroken: () => void
}

async function start(flags: Flags, { forwarding, progress, onBroken }: Circumstances): Promise<Daemon> {
  const home = userHome(process.env)
  const warning = homeWarning(process.env)
  if (warning !== null) printWarning(warning)
  const { 'checkout-url': checkoutUrl, 'api-url': apiUrl, 'rate-limit': rateLimit } = flags
  const isExposed = flags['dangerously-expose']
  const made = reproducible(flags)
  const businessName = parseBusinessName(flags['business-name'])
  const apiKey = parseAdmittedKey(flags['api-key']) ?? made.ids?.newApiKey()
  const webhookSecret = parseWebhookSecret(flags['webhook-secret']) ?? made.ids?.newWebhookSecret()
  return startDaemon({
    home,
    db: flags.memory
      ? null
      : parseDatabase(flags.db ?? (process.env.PAYCLI_DB || join(home, 'paycli.json')), apiKey),
    isReset: flags.reset,
    port: flags.port,
    checkoutPort: pagesPort(flags.port, flags['checkout-port']),
    host: parseListenHost({
      host: flags.host,
      isExposed,
      apiKey,
      hasApiUrl: apiUrl !== undefined,
      hasCheckoutUrl: checkoutUrl !== undefined,
    }),
    ...(apiUrl === undefined ? {} : { apiUrl: parseOwnUrl(apiUrl, 'api-url') }),
    ...(checkoutUrl === undefined ? {} : { checkoutUrl: parseOwnUrl(checkoutUrl, 'checkout-url') }),
    ...(businessName === undefined ? {} : { businessName }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(rateLimit === undefined ? {} : { rateLimit }),
    isProxyTrusted: flags['trust-proxy'],
    isLenient: flags.lenient,
    forwardTo: forwarding,
    ...made,
    ...(webhookSecret === undefined ? {} : { webhookSecret }),
    targets: {
      // Who may reach this service must not reach through it what only its machine can.
      isPublicOnly: flags['public-webhooks-only'] || isExposed,
      allowed: flags['allow-webhooks-to'] ?? [],
    },
    dunning: parseDunning(flags.dunning, flags['on-exhausted']),
    retries: flags['no-retry'] ? 'none' : (flags['retry-schedule'] ?? 'default'),
    log: createLog(flags['log-format'] as LogFormat, (line) => process.stderr.write(line)),
    pid: process.pid,
    processStart: processStart(process.pid),
    isServed,
    onLoading: progress.show,
    onBroken,
  }).catch((error: unknown) => {
    throw flagError(error)
  })
}

function reproducible({
  'freeze-time': frozen,
  deterministic: seed,
}: Flags): Pick<DaemonOptions, 'clock' | 'ids'> {
  return {
    ...(frozen === undefined ? {} : { clock: createFrozenClock(parseFreezeTime(frozen)) }),
    ...(seed === undefined ? {} : { ids: createSeededIds(seed) }),
  }
}

async function announce(
  { location, readyAfterMs, foundInstead, isNew, locationFile }: Daemon,
  flags: Flags,
  forwardTo: readonly Forwarding[],
): Promise<void> {
  const readyFile = flags['ready-file']
  if (readyFile !== undefined) await writeJson(resolve(readyFile), location, createIds().newToken)
  if (flags.json) printData(`${JSON.stringify(location)}\n`)
  const style = createStyle(isColorWanted(undefined, process.env, process.stderr.isTTY === true))
  const warning = plainHttpWarning({ ...location }, flags.host)
  reportReady({ location: { ...location }, foundInstead, warning })
  const areSecretsShown = process.stderr.isTTY === true && flags['log-format'] !== 'json'
  const secretsFile = areSecretsShown ? null : locationFile
  printNote(readyNote(location, readyAfterMs, { style, forwardTo, foundInstead, isNew, secretsFile }))
  if (warning !== null) printNote(warning)
}

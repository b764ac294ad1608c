import { join, resolve } from 'node:path'
import type { InferredFlags } from '@oclif/core/interfaces'
import { BaseCommand, toExamples } from '../src/cli/command/base-command.ts'
import { runSeedFiles } from '../src/cli/fixtures/seed-files.ts'
import { type ForwardRule, forwardTargetFlags, parseForwardRules } from '../src/cli/listen/forward-flags.ts'
import {
  getStderrWidth,
  printNote,
  printStyledNote,
  printWarning,
  writeToStdout,
} from '../src/cli/output/output.ts'
import { replaceProgramName } from '../src/cli/output/program-name.ts'
import { createProgressDisplay, type ProgressDisplay } from '../src/cli/output/progress.ts'
import { createStyle, isColorEnabled } from '../src/cli/output/style.ts'
import { boolean, integer, repeatable, string } from '../src/cli/parse/flag-builders.ts'
import { parseTimestampFlag } from '../src/cli/parse/timestamp.ts'
import { brandFlags, parseBrand } from '../src/cli/serve/brand-flags.ts'
import { createScenes, dashboardFlags, hasDashboard } from '../src/cli/serve/dashboard.ts'
import { reportReady, serveDetached } from '../src/cli/serve/detached.ts'
import { stopOnSignal, waitForStdinEnd } from '../src/cli/serve/interrupts.ts'
import { getLimitOptions, limitFlags } from '../src/cli/serve/limit-flags.ts'
import { parseListenHost } from '../src/cli/serve/listen-host.ts'
import { formatPlainHttpWarning } from '../src/cli/serve/plain-http.ts'
import { formatReadyNote } from '../src/cli/serve/ready-note.ts'
import {
  databaseFlags,
  ON_EXHAUSTED_CHOICES,
  parseApiKey,
  parseDatabase,
  parseDunning,
  parsePublicUrl,
  parseWebhookSecret,
  resolvePagesPort,
  serveProcessFlags,
  toFlagError,
} from '../src/cli/serve/serve-flags.ts'
import { findTemporaryHomeWarning, getWritableHomeFolder } from '../src/cli/service/home.ts'
import { readProcessStart } from '../src/cli/service/process-start.ts'
import { isServiceRunning } from '../src/cli/service/service-status.ts'
import { openInBrowserOrPrint } from '../src/cli/sessions/browser.ts'
import type { DaemonOptions } from '../src/daemon/daemon-options.ts'
import { writeJson } from '../src/daemon/private-json.ts'
import { createFrozenClock, createSeededIdGenerators } from '../src/daemon/reproducible.ts'
import { type Daemon, startDaemon } from '../src/daemon/start.ts'
import { createIdGenerators } from '../src/daemon/system/ids.ts'
import { createLog, type LogFormat } from '../src/daemon/system/log.ts'
import { runAtTurnEnd } from '../src/daemon/system/task-scheduling.ts'

const EXIT_AFTER_FAILURE = 1

export default class Serve extends BaseCommand {
  static override summary = 'Start the payment server'
  static override description =
    'Serves the API and the hosted pages, and sends webhooks. Stores all data in one JSON file, unless --memory or --db is given. The API key and the webhook secret stay the same between runs. To run a second server, use another --port, and --memory or another --db. Commands use that server with --api-base. Stop with ^C.'
  static override baseFlags = {}
  static override flags = {
    port: integer({
      description: 'Port of the API. Use 0 for a free port.',
      default: 4100,
      min: 0,
      max: 65_535,
    }),
    'checkout-port': integer({
      description:
        'Port of the hosted pages (default: the port after --port, or a free port with --port 0). Use 0 for a free port.',
      min: 0,
      max: 65_535,
    }),
    host: string({
      description:
        'Address to listen on. An address that other machines can reach requires --dangerously-expose.',
      helpValue: '<ip>',
      default: '127.0.0.1',
    }),
    'dangerously-expose': boolean({
      description: 'Allow access from other machines at --host, such as on a staging machine.',
      dependsOn: ['host'],
    }),
    'api-url': string({
      description: 'Public URL of the API (default: the local address).',
      helpValue: '<url>',
    }),
    'checkout-url': string({
      description: 'Public URL of the hosted pages (default: the local address).',
      helpValue: '<url>',
    }),
    ...dashboardFlags,
    ...brandFlags,
    ...databaseFlags,
    ...forwardTargetFlags,
    events: repeatable({
      char: 'e',
      description:
        'Event types to forward, such as invoice.* or *.completed. A leading ! excludes. Repeat for more types.',
      helpValue: '<glob>',
      delimiter: ',',
    }),
    'webhook-secret': string({
      description: 'Signing secret of forwarded webhooks (default: the stored secret).',
      helpValue: '<whsec_…>',
      env: 'PAYCLI_WEBHOOK_SECRET',
    }),
    'public-webhooks-only': boolean({
      description:
        'Never send webhooks to private addresses. Use this flag on a server that other people can reach.',
    }),
    'allow-webhooks-to': repeatable({
      description:
        'Network to allow despite --public-webhooks-only or --dangerously-expose, such as 10.0.0.0/8. Repeat for more networks.',
      helpValue: '<network>',
    }),
    'retry-schedule': string({
      description:
        'Retry schedule for failed deliveries, such as 1s,5s,30s (default: 5s,5m,30m,2h,5h,10h,10h).',
      helpValue: '<waits>',
      exclusive: ['no-retry'],
    }),
    'no-retry': boolean({ description: 'Never retry failed deliveries.' }),
    dunning: string({
      description:
        'Retry schedule for failed charges of an invoice, in days (default: 3,5,7). Use none to disable retries.',
      helpValue: '<days|none>',
    }),
    'on-exhausted': string({
      description: 'Action on the subscription after the last retry (default: cancel).',
      options: ON_EXHAUSTED_CHOICES,
    }),
    ...limitFlags,
    'trust-proxy': boolean({
      description: 'Identify visitors of the pages by the X-Forwarded-For header of a proxy.',
      dependsOn: ['rate-limit'],
    }),
    lenient: boolean({
      description: 'Ignore unknown parameters, and list them in a Paycli-Warning header.',
    }),
    'api-key': string({
      description: 'Additional valid API key, besides the stored key.',
      helpValue: '<key>',
      env: 'PAYCLI_API_KEY',
    }),
    'freeze-time': string({
      description:
        'Freeze the clock at this time, for tests that compare output byte by byte. Webhooks are signed and retried in real time.',
      helpValue: '<unix|iso date>',
    }),
    deterministic: string({
      description:
        'Seed of all ids, keys and secrets. The same requests then give the same responses, events and webhooks. Generated idempotency keys are derived from the seed. Requires --memory.',
      helpValue: '<seed>',
      dependsOn: ['memory'],
    }),
    'seed-file': repeatable({
      description: 'Run the requests of this fixture file before the server is ready. Repeat for more files.',
      helpValue: '<json file>',
    }),
    ...serveProcessFlags,
  }
  static override examples = toExamples([
    '',
    '--forward-to 3000/webhooks',
    "-f 3000/webhooks -e 'invoice.*' -e '!invoice.updated' --route 'customer.*=3001'",
    '--port 4200 --memory',
    '--db ./payments.json --port 0 --json',
    '--dunning 1,1 --on-exhausted unpaid',
    '--host 0.0.0.0 --dangerously-expose --api-url http://staging.example:4100 --checkout-url http://staging.example:4101',
    '--db postgres://paycli@db.example/paycli',
    '--detach',
    '--db ./payments.json --reset --open',
    '--memory --deterministic golden --freeze-time 2026-01-31T08:00:00Z --seed-file shop.json',
    '--memory --ready-file ready.json --log-format silent',
  ])

  override async run(): Promise<void> {
    const { flags } = await this.parse(Serve)
    if (flags.detach) return serveDetached(this.argv, flags.json)
    const broken = Promise.withResolvers<number>()
    const forwardRules = parseForwardRules(flags['forward-to'] ?? [], flags.events ?? [], flags.route ?? [])
    const progress = createProgressDisplay('Loading the database', process.stderr)
    const onBroken = () => broken.resolve(EXIT_AFTER_FAILURE)
    const daemon = await start(flags, forwardRules, progress, onBroken)
    progress.clear()
    // Wait for signals before the ready message, because a client may stop the server immediately after that message.
    const endings = flags['until-stdin-ends'] ? [broken.promise, waitForStdinEnd()] : [broken.promise]
    const stopped = stopOnSignal(daemon.stop, Promise.race(endings))
    try {
      await runSeedFiles(flags['seed-file'] ?? [], daemon.location)
      await announce(daemon, flags, forwardRules)
      if (flags.open) await openInBrowserOrPrint(`${daemon.location.api_url}/docs`)
    } catch (error) {
      await daemon.stop()
      throw error
    }
    process.exitCode = await stopped
    printNote('Stopped.')
  }
}

type Flags = InferredFlags<typeof Serve.flags>

async function start(
  flags: Flags,
  forwardRules: readonly ForwardRule[],
  progress: ProgressDisplay,
  onBroken: () => void,
): Promise<Daemon> {
  const home = getWritableHomeFolder(process.env)
  const warning = findTemporaryHomeWarning(process.env)
  if (warning !== null) printWarning(warning)
  const { 'checkout-url': checkoutUrl, 'api-url': apiUrl } = flags
  const isExposed = flags['dangerously-expose']
  const reproducible = reproducibleOptions(flags)
  const apiKey = parseApiKey(flags['api-key']) ?? reproducible.ids?.newApiKey()
  const webhookSecret = parseWebhookSecret(flags['webhook-secret']) ?? reproducible.ids?.newWebhookSecret()
  return startDaemon({
    home,
    db: flags.memory
      ? null
      : parseDatabase(flags.db ?? (process.env.PAYCLI_DB || join(home, 'paycli.json')), apiKey),
    isReset: flags.reset,
    port: flags.port,
    checkoutPort: resolvePagesPort(flags.port, flags['checkout-port']),
    host: parseListenHost({
      host: flags.host,
      isExposed,
      apiKey,
      hasApiUrl: apiUrl !== undefined,
      hasCheckoutUrl: checkoutUrl !== undefined,
    }),
    ...(apiUrl === undefined ? {} : { apiUrl: parsePublicUrl(apiUrl, 'api-url') }),
    ...(checkoutUrl === undefined ? {} : { checkoutUrl: parsePublicUrl(checkoutUrl, 'checkout-url') }),
    brand: parseBrand(flags),
    ...(hasDashboard(flags, flags['dangerously-expose'] || flags['trust-proxy']) ? { createScenes } : {}),
    keepsBodies: flags['log-bodies'],
    ...(apiKey === undefined ? {} : { apiKey }),
    ...getLimitOptions(flags),
    isProxyTrusted: flags['trust-proxy'],
    isLenient: flags.lenient,
    forwardTo: forwardRules,
    ...reproducible,
    ...(webhookSecret === undefined ? {} : { webhookSecret }),
    targets: {
      // Without this limit, clients of an exposed server could reach private addresses through the server.
      isPublicOnly: flags['public-webhooks-only'] || isExposed,
      allowed: flags['allow-webhooks-to'] ?? [],
    },
    dunning: parseDunning(flags.dunning, flags['on-exhausted']),
    retries: flags['no-retry'] ? 'none' : (flags['retry-schedule'] ?? 'default'),
    log: createLog(flags['log-format'] as LogFormat, printLines, runAtTurnEnd, getStderrWidth),
    pid: process.pid,
    processStart: readProcessStart(process.pid),
    isServiceRunning: isServiceRunning,
    onLoading: progress.show,
    onBroken,
  }).catch((error: unknown) => {
    throw toFlagError(error)
  })
}

function printLines(lines: string): void {
  process.stderr.write(replaceProgramName(lines))
}

function reproducibleOptions({
  'freeze-time': frozen,
  deterministic: seed,
}: Flags): Pick<DaemonOptions, 'clock' | 'ids' | 'newIds'> {
  return {
    ...(frozen !== undefined && { clock: createFrozenClock(parseTimestampFlag('freeze-time', frozen)) }),
    ...(seed !== undefined && {
      ids: createSeededIdGenerators(seed),
      newIds: (variant: string) => createSeededIdGenerators(seed + variant),
    }),
  }
}

async function announce(
  { location, readyAfterMs, foundInstead, isNew, locationFile, newestCustomer, newDashboardUrl }: Daemon,
  flags: Flags,
  forwardTo: readonly ForwardRule[],
): Promise<void> {
  const readyFile = flags['ready-file']
  if (readyFile !== undefined) await writeJson(resolve(readyFile), location, createIdGenerators().newToken)
  if (flags.json) writeToStdout(`${JSON.stringify(location)}\n`)
  const style = createStyle(isColorEnabled(undefined, process.env, process.stderr.isTTY === true))
  const warning = formatPlainHttpWarning(location, flags.host)
  reportReady({ location, defaultUrl: foundInstead, warning })
  const areSecretsShown = process.stderr.isTTY === true && flags['log-format'] !== 'json'
  const secretsFile = areSecretsShown ? null : locationFile
  const hasLog = flags['log-format'] !== 'silent'
  const shared = { style, forwardTo, defaultUrl: foundInstead, isNew, secretsFile, hasLog }
  printStyledNote(
    formatReadyNote(location, readyAfterMs, {
      ...{ ...shared, customer: await newestCustomer() },
      // Other people may read a log, so it must not contain the login URL of the dashboard.
      ...(newDashboardUrl && { dashboard: areSecretsShown ? newDashboardUrl() : 'paycli open dashboard' }),
    }),
  )
  if (warning !== null) printNote(warning)
}

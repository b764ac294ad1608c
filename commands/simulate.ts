import type { FlagInput } from '@oclif/core/interfaces'
import { sandboxes } from '../src/api/operations/sandboxes.ts'
import { webhookEndpoints } from '../src/api/operations/webhook-endpoints.ts'
import { BaseCommand, toExamples } from '../src/cli/command/base-command.ts'
import { createInvalidFlagError, UsageError } from '../src/cli/errors/usage-error.ts'
import { parseTargetUrl } from '../src/cli/listen/forward-flags.ts'
import { EXIT_CODES } from '../src/cli/output/exit-codes.ts'
import { printNote } from '../src/cli/output/output.ts'
import { addSandboxFlag } from '../src/cli/output/sandbox-flag.ts'
import { boolean, integer, repeatable, string } from '../src/cli/parse/flag-builders.ts'
import { readInputFile } from '../src/cli/parse/input-file.ts'
import { type FlagValues, findFlagText, listFlagValues } from '../src/cli/parse/params.ts'
import { listObjects } from '../src/cli/request/paginate.ts'
import { runInterruptibly } from '../src/cli/serve/interrupts.ts'
import { storeSandboxSecrets } from '../src/cli/service/sandbox-keys.ts'
import { findSelectedSandbox } from '../src/cli/service/selected-sandbox.ts'
import { writePrivateFileOrUsageError } from '../src/cli/service/user-file.ts'
import { createRequestKeys, type RequestKeys } from '../src/cli/simulate/continuation.ts'
import { formatFaults, parseFault } from '../src/cli/simulate/faults.ts'
import { POPULATION_PRESETS, type Population, readPopulation } from '../src/cli/simulate/population.ts'
import type { ReconciliationResult } from '../src/cli/simulate/reconcile.ts'
import {
  type LedgerSource,
  runReconciliation,
  validateLedgerSource,
} from '../src/cli/simulate/reconcile-run.ts'
import { formatReconciliation } from '../src/cli/simulate/reconcile-view.ts'
import { runSimulation, type SimulationResult } from '../src/cli/simulate/runner.ts'
import { createSimulationDisplay } from '../src/cli/simulate/simulation-progress.ts'
import { getMonthName, readSimulationTotals, type SimulationTotals } from '../src/cli/simulate/totals.ts'
import { formatSimulationTotals, toTotalsCsv } from '../src/cli/simulate/totals-view.ts'
import { type Client, createClient } from '../src/client/client.ts'

/** The sandbox of a simulation; the id is null for the sandbox that the user selected. */
interface SimulationSandbox {
  readonly id: string | null
  readonly client: Client
  /** The idempotency keys of the client. */
  readonly keys: RequestKeys
}

export default class Simulate extends BaseCommand {
  static override summary = 'Simulate months of customers and their payments'
  static override description =
    'Creates customers with subscriptions in a new sandbox, or in the sandbox of --sandbox, on a test clock that starts on 1 January 2026. Then advances the clock and performs the actions of the customers: declines, new cards, upgrades, pauses, refunds, disputes and cancellations. The same seed gives the same events. Prints the totals of each month, whose amounts are in minor units in JSON and CSV. With --forward-to, the simulation waits for your handler. With --reconcile, the command compares the accounting records of your app with the events, and exits with 8 if they differ.'
  static override flags: FlagInput = {
    customers: integer({
      ...{ description: 'Number of customers (default: 1000).', helpValue: '<count>', min: 1, max: 100_000 },
    }),
    months: integer({
      description: 'Number of months (default: 12).',
      helpValue: '<count>',
      min: 1,
      max: 36,
    }),
    seed: string({ description: 'Seed of all random choices.', helpValue: '<text>', default: '1' }),
    preset: string({
      description: 'Plans, currencies and rates of the customers: saas, rent or donations (default: saas).',
      helpValue: '<name>',
    }),
    population: string({
      description: 'JSON file with plans, coupons and rates, instead of a preset.',
      helpValue: '<file>',
    }),
    'forward-to': string({
      char: 'f',
      description: 'Send all events to a URL, a port, or a port with a path.',
      helpValue: '<url|port>',
    }),
    fault: repeatable({
      description:
        'Fault on webhook deliveries or payments with its options: probability is a percentage. Can be repeated.',
      helpValue: '<type; option=value>',
    }),
    reconcile: string({
      description:
        'Shell command that prints the accounting records of your app at the end: CSV with the columns customer and month and some of paid, refunded, credit, tax and access. The records are compared with the events.',
      helpValue: '<command>',
    }),
    continue: boolean({
      description:
        'Continue an interrupted simulation in the sandbox of --sandbox. Repeat the other flags of the interrupted command.',
    }),
    database: string({
      description: 'Database of your app, which is only read: an SQLite file or a postgres:// URL.',
      helpValue: '<file|url>',
      dependsOn: ['query'],
    }),
    query: string({
      description:
        'SQL file whose rows are the accounting records of your app, instead of the output of --reconcile.',
      helpValue: '<file>',
      dependsOn: ['database'],
      exclusive: ['reconcile'],
    }),
    csv: string({ description: 'Also write the totals to a CSV file.', helpValue: '<file>' }),
  }
  static override examples = toExamples([
    '',
    '--customers 200 --months 6 --seed 7 --preset rent',
    '--population shop.json --forward-to 3000/webhooks --csv totals.csv',
    "--forward-to 3000/webhooks --fault 'duplicate; probability=5' --fault 'swap; probability=2'",
    '--forward-to 3000/webhooks --reconcile \'psql --csv -c "select customer, month, paid from books"\'',
  ])

  override async run(): Promise<void> {
    const { flags } = await this.readInput()
    await runInterruptibly((signal) => this.simulate(flags, signal))
  }

  private async simulate(flags: FlagValues, signal: AbortSignal): Promise<void> {
    const population = await readFlaggedPopulation(flags)
    const faults = listFlagValues(flags['fault']).map(parseFault)
    const target = findFlagText(flags['forward-to'])
    const url = target === undefined ? null : parseTargetUrl(target)
    const seed = findFlagText(flags['seed']) ?? ''
    const ledgerSource = await findLedgerSource(flags)
    // Check the command first: its error would otherwise be reported after the whole simulation.
    if (ledgerSource !== null) await validateLedgerSource(ledgerSource, signal)
    signal.throwIfAborted()
    const sandbox = await this.openSandbox(flags, seed)
    const { client, keys } = sandbox
    const isContinued = flags['continue'] === true
    const endpoint = url === null ? null : await createEndpoint(client, url, isContinued)
    const display = createSimulationDisplay(client, process.stderr)
    const size = { customers: Number(flags['customers'] ?? 1000), months: Number(flags['months'] ?? 12) }
    const simulation = await runSimulation(client, {
      ...{ population, ...size, seed, faults, isContinued, keys, endpoint, signal, onTime: display.show },
    }).finally(async () => {
      display.clear()
      if (endpoint !== null) await disableEndpoint(client, endpoint)
    })
    if (simulation.failedDeliveries > 0) {
      const note = `Some deliveries failed. See them: paycli webhooks deliveries list --status failed`
      printNote(withSandbox(note, sandbox.id))
    }
    if (signal.aborted) return printInterruption(sandbox, simulation)
    const totals = await readSimulationTotals(client, simulation)
    let failure: unknown = null
    const reconciliation =
      ledgerSource === null
        ? null
        : await runReconciliation(client, simulation, ledgerSource, signal).catch((error: unknown) => {
            failure = error
            return null
          })
    this.report(sandbox, simulation, totals, reconciliation)
    const csv = findFlagText(flags['csv'])
    if (csv !== undefined) await writePrivateFileOrUsageError(csv, toTotalsCsv(totals.rows))
    if (failure !== null) throw failure
  }

  private report(
    { id }: SimulationSandbox,
    { clock, customers, events, skipped, faults }: SimulationResult,
    totals: SimulationTotals,
    reconciliation: ReconciliationResult | null,
  ): void {
    const result = {
      ...{ object: 'simulation', sandbox: id, test_clock: clock, customers: customers.length, events },
      ...{ skipped_actions: skipped, faults, totals: totals.rows, reconciliation },
    }
    const difference = reconciliation?.differences.find(({ object }) => object !== null)
    const next = difference
      ? `See the events that explain a difference: paycli timeline ${difference.object}`
      : `See the newest events: paycli events list --test-clock ${clock}`
    this.printView(
      result,
      (_, view) => {
        const { text, isWhole } = formatSimulationTotals(totals, view)
        const injected = formatFaults(faults)
        const compared = reconciliation === null ? '' : `\n${formatReconciliation(reconciliation, view)}`
        return { text: text + injected + compared, isWhole }
      },
      () => `${withSandbox(next, id)}\nMonths and cohorts on the dashboard: ${this.dashboardUrl(clock, id)}`,
    )
    if (reconciliation !== null && reconciliation.differing > 0) process.exitCode = EXIT_CODES.assertion
  }

  private dashboardUrl(clock: string, sandbox: string | null): string {
    const connection = this.connection()
    const id = sandbox ?? findSelectedSandbox(connection, process.env)?.id ?? null
    return `${connection.apiBase}/dashboard/clocks/${clock}?months=shown${id === null ? '' : `&sandbox=${id}`}`
  }

  /** Returns the sandbox of the flags or of the API key; otherwise creates a sandbox and stores its key. */
  private async openSandbox(flags: FlagValues, seed: string): Promise<SimulationSandbox> {
    const connection = this.connection()
    const keys = createRequestKeys()
    const options = { timeoutMs: Infinity, isConnectionKept: true, idempotencyKey: keys.next }
    const isSelected = flags['sandbox'] !== undefined || findSelectedSandbox(connection, process.env) !== null
    if (flags['continue'] === true && !isSelected)
      throw new UsageError('flag_missing', '--continue needs the sandbox of the interrupted simulation.', {
        ...{ param: 'continue', hint: 'Add --sandbox sbx_…, which the interrupted command printed.' },
      })
    if (isSelected) return { id: null, client: this.client(options), keys }
    const created = await this.client().call(sandboxes.create, { name: `simulate ${seed}`.slice(0, 100) })
    await storeSandboxSecrets(process.env, connection.apiBase, created)
    printNote(`Simulating in the new sandbox ${created.id}. Delete it: paycli sandboxes delete ${created.id}`)
    const client = createClient({ ...connection, apiKey: created.api_key, ...options })
    return { id: created.id, client, keys }
  }
}

async function findLedgerSource(flags: FlagValues): Promise<LedgerSource | null> {
  const command = findFlagText(flags['reconcile'])
  if (command !== undefined) return { command }
  const [database, file] = [findFlagText(flags['database']), findFlagText(flags['query'])]
  if (database === undefined || file === undefined) return null
  return { database, sql: (await readInputFile(file, 'query')).toString() }
}

async function readFlaggedPopulation(flags: FlagValues): Promise<Population> {
  const file = findFlagText(flags['population'])
  const preset = findFlagText(flags['preset'])
  if (file !== undefined && preset !== undefined)
    throw new UsageError('flag_invalid', '--population and --preset cannot both be set.', {
      ...{ param: 'population', hint: 'Omit one of them.' },
    })
  if (file !== undefined) return readPopulation(file)
  const found = Object.entries(POPULATION_PRESETS).find(([name]) => name === (preset ?? 'saas'))
  if (found === undefined)
    throw createInvalidFlagError('preset', preset ?? '', Object.keys(POPULATION_PRESETS).join(', '))
  return found[1]
}

/** Creates a webhook endpoint, or enables the endpoint of the interrupted simulation again. */
async function createEndpoint(client: Client, url: string, isContinued: boolean): Promise<string> {
  const existing = isContinued ? await listObjects(client, webhookEndpoints.list, {}, Infinity) : null
  const known = existing?.found.find((one) => one.url === url)
  if (known !== undefined) {
    await client.call(webhookEndpoints.update, { id: known.id, status: 'enabled' })
    return known.id
  }
  const { id, secret } = await client.call(webhookEndpoints.create, { url, enabled_events: ['*'] })
  printNote(`Sending all events to ${url}. Webhook secret: ${secret}`)
  return id
}

/** Disables an endpoint, so that later events of the sandbox are not sent to the handler. */
async function disableEndpoint(client: Client, id: string): Promise<void> {
  const { status } = await client.call(webhookEndpoints.retrieve, { id })
  if (status === 'disabled')
    printNote(
      'The server disabled the webhook endpoint, because its deliveries failed. The server sent no later events.',
    )
  else await client.call(webhookEndpoints.update, { id, status: 'disabled' })
}

function printInterruption({ id }: SimulationSandbox, { clock, reached }: SimulationResult): void {
  const where = id === null ? 'the same sandbox' : `--sandbox ${id}`
  printNote(
    `Stopped in ${getMonthName(reached)} of the simulation. To continue it, repeat the command with ${where} and --continue.`,
  )
  const note = `See the totals so far: paycli stats --clock ${clock} --interval month --history`
  printNote(withSandbox(note, id))
}

function withSandbox(note: string, id: string | null): string {
  return id === null ? note : addSandboxFlag(note, id)
}

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { customers, paymentSessions } from '../../src/client/index.ts'
import { ROOT } from '../support/root.ts'
import { type Figure, type FigureRow, type FigureTarget, ratioRow, withUnit } from './figure.ts'
import { interleave, mapMeasurements, median, ratiosOf } from './rounds.ts'
import { clientOf, startDaemonServer } from './servers.ts'

const MS_PER_SECOND = 1000
/** Processes per measurement: the shell reports their processor time in hundredths of a second. */
const STARTS = 5
const SCRIPT = `i=0; while [ $i -lt ${STARTS} ]; do "$@" >/dev/null || exit 1; i=$((i+1)); done; times`

/** Mean times of one kind of process, in milliseconds. */
interface CommandTimes {
  readonly wallMs: number
  readonly cpuMs: number
}

interface TimedCommand {
  readonly line: string
  readonly target: FigureTarget | null
}

/** Ten commands against a running daemon, found through its locator file, each beside `node -e 0`. */
export const startup: Figure = async (bench) => {
  const place = await bench.ground.empty()
  const server = await startDaemonServer(bench, place)
  const client = clientOf(server)
  const ada = await client.call(customers.create, { email: 'ada@example.com' })
  const session = await client.call(paymentSessions.create, {
    customer: ada.id,
    amount: 1000,
    currency: 'eur',
    payment_method_types: ['card'],
    return_url: 'https://example.com/return',
  })
  const env = { ...process.env, PAYCLI_HOME: place.folder }
  const rows: FigureRow[] = []
  for (const { line, target } of commandsFor(ada.id, session.id)) {
    const words = line.split(' ')
    const pairs = await interleave(bench.rounds, {
      paycli: () => startAll([join(ROOT, 'bin', 'run.js'), ...words], env),
      baseline: () => startAll(['-e', '0'], env),
    })
    const byProcessor = median(ratiosOf(mapMeasurements(pairs, ({ cpuMs }) => cpuMs)))
    const name = words.slice(0, 2).join(' ')
    const what = `paycli ${name}, beside node -e 0`
    const wall = mapMeasurements(pairs, ({ wallMs }) => wallMs)
    rows.push({ ...ratioRow(what, wall, { unit: 'ms', target }), byProcessor: withUnit(byProcessor, '') })
    bench.note(`${name}: ${byProcessor.toFixed(2)} times the processor time of node -e 0`)
  }
  await server.end()
  return rows
}

function commandsFor(customer: string, session: string): readonly TimedCommand[] {
  const target = { atMost: 2.2, later: 2 }
  const sale = `--customer ${customer} --currency eur`
  const lines = [
    `customers retrieve ${customer}`,
    'customers list --limit 10',
    `payment-sessions create ${sale} --amount 1000 --return-url https://example.com/return`,
    `payment-sessions retrieve ${session}`,
    `checkout create ${sale} --item Rent:100000:20:rent --interval month`,
    'events list --limit 10',
    `timeline ${customer}`,
    'clock create',
    '--help',
  ]
  return [
    { line: 'customers create --email ada@example.com', target },
    ...lines.map((line) => ({ line, target: null })),
  ]
}

async function startAll(args: readonly string[], env: NodeJS.ProcessEnv): Promise<CommandTimes> {
  const startedMs = performance.now()
  const { stdout } = await promisify(execFile)('sh', ['-c', SCRIPT, 'sh', process.execPath, ...args], { env })
  const wallMs = (performance.now() - startedMs) / STARTS
  // The second line of `times` is the processor time of the children (POSIX): 0m0.310s 0m0.080s
  const used = (stdout.trim().split('\n').at(-1) ?? '').split(' ').map(millisecondsOf)
  return { wallMs, cpuMs: used.reduce((sum, ms) => sum + ms, 0) / STARTS }
}

function millisecondsOf(text: string): number {
  const [, minutes = '0', seconds = 'NaN'] = /^(\d+)m([\d.]+)s$/.exec(text) ?? []
  return (Number(minutes) * 60 + Number(seconds)) * MS_PER_SECOND
}

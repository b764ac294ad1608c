import { startPostgres } from '../support/postgres.ts'
import { CREATE_CUSTOMER } from './create.ts'
import { type Bench, type FigureRow, ratioRow } from './figure.ts'
import { startRole } from './role-process.ts'
import { interleave } from './rounds.ts'
import { type NewSandbox, newSandboxes } from './sandbox-daemon.ts'
import { type DaemonServer, startDaemonServer } from './servers.ts'

const DAEMONS = 3
const SANDBOXES = 8
const CONNECTIONS = 48
const WARM_SECONDS = 1.5
const MAX_ROUNDS = 5
const NUMBERS = 1_000_000

/** Creates in sandboxes of three daemons on one PostgreSQL server: latency beside a saturated sandbox, and throughput. */
export async function postgresRows(bench: Bench): Promise<FigureRow[]> {
  const server = await startPostgres({ isDurable: true })
  const daemons: DaemonServer[] = []
  try {
    while (daemons.length < DAEMONS) {
      const { folder } = await bench.ground.empty()
      daemons.push(await startDaemonServer(bench, { folder, file: server.url }))
    }
    const [first] = daemons
    if (first === undefined) throw new Error('no daemon')
    const sandboxes = await newSandboxes(first, SANDBOXES)
    return [await latencyRow(bench, daemons, sandboxes), await throughputRow(bench, daemons, sandboxes)]
  } finally {
    await Promise.all(daemons.map((daemon) => daemon.end()))
    await server.stop()
  }
}

interface CreateLoad {
  readonly connections: number
  readonly seconds: number
}

/** Creates customers in sandboxes in turn; resolves with the rate and the median latency. */
async function creates(
  { port }: DaemonServer,
  [first, ...others]: readonly NewSandbox[],
  { connections, seconds }: CreateLoad,
) {
  const load = await startRole('load', {})
  const asked = { ...CREATE_CUSTOMER, key: first?.key ?? '', otherKeys: others.map(({ key }) => key) }
  const numbers = { from: 0, to: NUMBERS, isRandom: false }
  const result = await load.call('run', { port, asked, connections, seconds, numbers })
  await load.kill()
  return result
}

async function latencyRow(
  bench: Bench,
  [quiet, busy]: readonly DaemonServer[],
  [own, saturated]: readonly NewSandbox[],
): Promise<FigureRow> {
  if (!quiet || !busy || !own || !saturated) throw new Error('two daemons with two sandboxes are needed')
  const lone = (seconds: number) => creates(quiet, [own], { connections: 1, seconds })
  await lone(WARM_SECONDS)
  const pairs = await interleave(Math.min(bench.rounds, MAX_ROUNDS), {
    paycli: async () => {
      const load = { connections: CONNECTIONS, seconds: bench.seconds }
      const [{ medianMs }] = await Promise.all([lone(bench.seconds), creates(busy, [saturated], load)])
      bench.note(`create beside a saturated sandbox: ${medianMs.toFixed(2)} ms`)
      return medianMs
    },
    baseline: async () => {
      const { medianMs } = await lone(bench.seconds)
      bench.note(`create alone: ${medianMs.toFixed(2)} ms`)
      return medianMs
    },
  })
  const what = 'PostgreSQL: p50 of a create while another sandbox is saturated ÷ alone'
  return ratioRow(what, pairs, { unit: 'ms', target: { atMost: 1.3 } })
}

async function throughputRow(
  bench: Bench,
  daemons: readonly DaemonServer[],
  sandboxes: readonly NewSandbox[],
): Promise<FigureRow> {
  const total = async (used: readonly NewSandbox[]) => {
    const load = { connections: CONNECTIONS / DAEMONS, seconds: bench.seconds }
    const rates = await Promise.all(daemons.map((daemon) => creates(daemon, used, load)))
    const rate = rates.reduce((sum, { perSecond }) => sum + perSecond, 0)
    bench.note(`${used.length} sandboxes: ${Math.round(rate)}/s`)
    return rate
  }
  await total(sandboxes)
  const pairs = await interleave(Math.min(bench.rounds, MAX_ROUNDS), {
    paycli: () => total(sandboxes),
    baseline: () => total(sandboxes.slice(0, 1)),
  })
  const what = `PostgreSQL: creates of ${DAEMONS} daemons in ${SANDBOXES} sandboxes ÷ in one`
  return ratioRow(what, pairs, { unit: '/s', target: { atLeast: 1.8 } })
}

import type { PostgresServer } from '../support/postgres.ts'
import { CREATE_CUSTOMER } from './create.ts'
import { type Bench, type FigureRow, type FigureTarget, ratioRow } from './figure.ts'
import type { LoadResult } from './load-generator.ts'
import { openMachineLoad } from './machine-load.ts'
import type { MeasurePgbench } from './pgbench.ts'
import { startRole } from './role-process.ts'
import { interleave } from './rounds.ts'
import { newSandboxes } from './sandbox-daemon.ts'
import { type DaemonServer, startDaemonServer } from './servers.ts'

const WARM_SECONDS = 1.5
const NUMBERS = 1_000_000
const SANDBOXES = 8
/** Total number of connections in a benchmark of one daemon. */
const CONNECTIONS = 64
const SHARED_CONNECTIONS = 48
const DAEMONS = 3
/** Concurrent connections of pgbench, as many as in a typical pool. */
const INSERTERS = 8
/** Settings that add 10 ms to each disk write of PostgreSQL. Commits that wait for the same write share the delay. */
const SLOW_COMMIT = '-c commit_delay=10000 -c commit_siblings=0'

/** The key of a sandbox in which a load creates customers. */
interface LoadedSandbox {
  readonly key: string
}

interface CreateLoad {
  /** Connections to each server. */
  readonly connections: number
  readonly seconds: number
}

/** Creates customers on several servers concurrently, in sandboxes in turn; resolves with the result of each. */
export async function createOn(
  servers: readonly Pick<DaemonServer, 'port'>[],
  [first, ...others]: readonly LoadedSandbox[],
  load: CreateLoad,
): Promise<readonly LoadResult[]> {
  const asked = { ...CREATE_CUSTOMER, key: first?.key ?? '', otherKeys: others.map(({ key }) => key) }
  return Promise.all(
    servers.map(async ({ port }, place) => {
      const generator = await startRole('load', {})
      const from = place * NUMBERS
      const numbers = { from, to: from + NUMBERS, isRandom: false }
      const result = await generator.call('run', { port, asked, numbers, ...load })
      await generator.kill()
      return result
    }),
  )
}

/**
 * Returns the rows of creates per second of daemons on one PostgreSQL server, compared with pgbench and with each
 * other.
 */
export async function createRows(
  bench: Bench,
  server: PostgresServer,
  pgbench: MeasurePgbench,
): Promise<FigureRow[]> {
  const context = { bench, server }
  return [
    await ratio(context, {
      what: 'creates, 1 connection ÷ pgbench with a locked head',
      target: { atLeast: 0.6 },
      paycli: { daemons: 1, sandboxes: 1, connections: 1 },
      baseline: () => pgbench('locked insert', 1, bench.seconds),
    }),
    await ratio(context, {
      what: `creates, ${CONNECTIONS} connections ÷ inserts of pgbench, ${INSERTERS} connections`,
      target: { atLeast: 0.6 },
      paycli: { daemons: 1, sandboxes: 1, connections: CONNECTIONS },
      baseline: () => pgbench('insert', INSERTERS, bench.seconds),
    }),
    await ratio(context, {
      what: `creates of ${DAEMONS} daemons ÷ of one, one sandbox, ${SHARED_CONNECTIONS} connections`,
      target: { atLeast: 0.9 },
      paycli: { daemons: DAEMONS, sandboxes: 1, connections: SHARED_CONNECTIONS },
      baseline: { daemons: 1, sandboxes: 1, connections: SHARED_CONNECTIONS },
    }),
    await ratio(context, {
      what: `creates of ${DAEMONS} daemons in ${SANDBOXES} sandboxes ÷ of one in one, ${SHARED_CONNECTIONS} connections`,
      target: { atLeast: 1.5 },
      paycli: { daemons: DAEMONS, sandboxes: SANDBOXES, connections: SHARED_CONNECTIONS },
      baseline: { daemons: 1, sandboxes: 1, connections: SHARED_CONNECTIONS },
    }),
    await ratio(context, {
      what: `creates with 10 ms more for a commit, in ${SANDBOXES} sandboxes ÷ in one, ${CONNECTIONS} connections`,
      target: { atLeast: 4 },
      paycli: { daemons: 1, sandboxes: SANDBOXES, connections: CONNECTIONS, options: SLOW_COMMIT },
      baseline: { daemons: 1, sandboxes: 1, connections: CONNECTIONS, options: SLOW_COMMIT },
    }),
  ]
}

/** The daemons on an empty database, and their load. */
interface Setup {
  readonly daemons: number
  readonly sandboxes: number
  /** Connections to all daemons together. */
  readonly connections: number
  /** Settings of the sessions of PostgreSQL. */
  readonly options?: string
}

interface RatioOptions {
  readonly what: string
  readonly target: FigureTarget
  readonly paycli: Setup
  readonly baseline: Setup | (() => Promise<number>)
}

interface RatioContext {
  readonly bench: Bench
  readonly server: PostgresServer
}

async function ratio(context: RatioContext, { what, target, paycli, baseline }: RatioOptions) {
  const { bench } = context
  const measured = async (name: string, work: () => Promise<number>) => {
    const endLoad = openMachineLoad()
    const rate = await work()
    bench.note(`${name}: ${Math.round(rate).toLocaleString('en')}/s, ${endLoad()}`)
    return rate
  }
  const pairs = await interleave(bench.rounds, {
    paycli: () => measured(what, () => rateOf(context, paycli)),
    baseline: () =>
      measured('baseline', typeof baseline === 'function' ? baseline : () => rateOf(context, baseline)),
  })
  return ratioRow(what, pairs, { unit: '/s', target })
}

let databases = 0

async function rateOf({ bench, server }: RatioContext, setup: Setup): Promise<number> {
  databases += 1
  const url = new URL(`${server.url}?schema=creates_${databases}`)
  if (setup.options !== undefined) url.searchParams.set('options', setup.options)
  const daemons = await startDaemons(bench, url.href, setup.daemons)
  try {
    const [first] = daemons
    if (first === undefined) throw new Error('no daemon')
    const used = setup.sandboxes === 1 ? [first] : await newSandboxes(first, setup.sandboxes)
    const load = (seconds: number) =>
      createOn(daemons, used, { connections: setup.connections / setup.daemons, seconds })
    await load(WARM_SECONDS)
    return (await load(bench.seconds)).reduce((sum, { perSecond }) => sum + perSecond, 0)
  } finally {
    await Promise.all(daemons.map((daemon) => daemon.end()))
  }
}

/** Starts several daemons on one database. */
export async function startDaemons(bench: Bench, url: string, count: number): Promise<DaemonServer[]> {
  const daemons: DaemonServer[] = []
  while (daemons.length < count) {
    const { folder } = await bench.ground.empty()
    daemons.push(await startDaemonServer(bench, { folder, file: url }))
  }
  return daemons
}

import type { DatabaseFolder } from './databases.ts'
import type { Bench, Figure, FigureRow } from './figure.ts'
import { emailOf } from './records.ts'
import { interleave } from './rounds.ts'
import {
  describeLoad,
  type MeasuredLoad,
  measure,
  rateRow,
  type Server,
  startBareServer,
  startDaemonServer,
  type Traffic,
} from './servers.ts'

const WARM_SECONDS = 2.5
/** Email addresses of one round; each round uses new ones. */
const NUMBERS_PER_ROUND = 1_000_000
const MILLION = 1_000_000

/** A request that creates a new customer each time. */
export const CREATE_CUSTOMER = {
  method: 'POST',
  path: '/v1/customers',
  body: JSON.stringify({ email: emailOf('{n}'), name: 'Customer {n}' }),
} as const

/** Durable creates through the whole daemon, beside a bare Koa server and beside a full database. */
export const create: Figure = async (bench) => {
  const rows: FigureRow[] = []
  rows.push(await besideBare(bench, 64, { atLeast: 0.75, later: 0.9 }))
  rows.push(await besideBare(bench, 10, { atLeast: 0.3, later: 0.5 }))
  if (!bench.isQuick) rows.push(await besideEmpty(bench))
  return rows
}

async function besideBare(
  bench: Bench,
  connections: number,
  target: { readonly atLeast: number; readonly later: number },
): Promise<FigureRow> {
  const pairs = await interleave(bench.rounds, {
    paycli: (round) =>
      onFreshDaemon(bench, (server) => creates(bench, server, { name: 'paycli', connections, round })),
    baseline: async (round) => {
      const server = await startBareServer()
      const rate = await creates(bench, server, { name: 'bare Koa', connections, round })
      await server.end()
      return rate
    },
  })
  const what = `durable create ÷ bare Koa + router + body parser + ajv, ${connections} connections`
  return rateRow(what, pairs, target)
}

async function besideEmpty(bench: Bench): Promise<FigureRow> {
  const connections = 64
  const place = await bench.ground.seeded({ shape: 'snapshot', size: MILLION })
  const full = await startDaemonServer(bench, place)
  const pairs = await interleave(bench.rounds, {
    paycli: (round) => creates(bench, full, { name: 'at 1 M', connections, round }),
    baseline: (round) =>
      onFreshDaemon(bench, (server) => creates(bench, server, { name: 'at 0', connections, round })),
  })
  await full.end()
  await bench.ground.release(place)
  const what = `durable create at 1 M records ÷ at 0, ${connections} connections`
  return rateRow(what, pairs, { atLeast: 0.85 })
}

async function onFreshDaemon(
  bench: Bench,
  work: (server: Server) => Promise<MeasuredLoad>,
): Promise<MeasuredLoad> {
  const place: DatabaseFolder = await bench.ground.empty()
  const server = await startDaemonServer(bench, place)
  const rate = await work(server)
  await server.end()
  await bench.ground.release(place)
  return rate
}

interface CreateRun {
  readonly name: string
  readonly connections: number
  readonly round: number
}

async function creates(
  bench: Bench,
  server: Server,
  { name, connections, round }: CreateRun,
): Promise<MeasuredLoad> {
  const from = (round + 1) * 2 * NUMBERS_PER_ROUND
  const traffic = (start: number): Traffic => ({
    asked: CREATE_CUSTOMER,
    connections,
    numbers: { from: start, to: start + NUMBERS_PER_ROUND, isRandom: false },
  })
  await measure(server, traffic(from), WARM_SECONDS)
  const measured = await measure(server, traffic(from + NUMBERS_PER_ROUND), bench.seconds)
  bench.note(`${connections} connections: ${describeLoad(name, measured)}`)
  return measured
}

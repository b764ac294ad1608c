import { type Bench, type Figure, type FigureRow, type FigureTarget, ratioRow } from './figure.ts'
import { emailOf } from './records.ts'
import { interleave, mapMeasurements } from './rounds.ts'
import {
  type MeasuredLoad,
  measure,
  measureAndNote,
  processorRow,
  rateRow,
  type Server,
  startBareServer,
  startDaemonServer,
  startJournalServer,
  type Traffic,
  withDaemon,
} from './servers.ts'

const WARM_SECONDS = 2.5
/** The number of email addresses that each measurement reserves. */
const NUMBERS_PER_ROUND = 1_000_000
const MILLION = 1_000_000

/** A request that creates a new customer each time. */
export const CREATE_CUSTOMER = {
  method: 'POST',
  path: '/v1/customers',
  body: JSON.stringify({ email: emailOf('{n}'), name: 'Customer {n}' }),
} as const

/**
 * The rate of durable creates of a daemon, compared with servers without rules or durability, and with a full database.
 */
export const create: Figure = async (bench) => {
  const rows: FigureRow[] = []
  rows.push(await besideBare(bench, 50, { atMost: 2.1, later: 1.5 }))
  rows.push(await besideBare(bench, 10, { atMost: 3, later: 1.8 }))
  rows.push(...(await besideJournal(bench)))
  if (!bench.isQuick) rows.push(await besideEmpty(bench))
  return rows
}

async function besideBare(bench: Bench, connections: number, target: FigureTarget): Promise<FigureRow> {
  const pairs = await interleave(bench.rounds, {
    paycli: (round) =>
      withDaemon(bench, {}, (server) => creates(bench, server, { name: 'paycli', connections, round })),
    baseline: (round) =>
      onServer(startBareServer(), (server) =>
        creates(bench, server, { name: 'bare Koa', connections, round }),
      ),
  })
  const what = `durable create ÷ bare Koa + router + body parser + ajv, ${connections} connections`
  return processorRow(what, pairs, target)
}

async function besideJournal(bench: Bench): Promise<FigureRow[]> {
  const pairs = await interleave(bench.rounds, {
    paycli: (round) =>
      withDaemon(bench, {}, (server) => creates(bench, server, { name: 'paycli', connections: 10, round })),
    baseline: async (round) => {
      const place = await bench.ground.empty()
      const measured = await onServer(startJournalServer(`${place.file}.journal`), (server) =>
        creates(bench, server, { name: 'node:http', connections: 10, round }),
      )
      await bench.ground.release(place)
      return measured
    },
  })
  const beside = 'node:http with group commit, 10 connections'
  const latencies = mapMeasurements(pairs, ({ p99Ms }) => p99Ms)
  return [
    rateRow(`durable create ÷ ${beside}`, pairs, { atLeast: 1 }),
    ratioRow(`p99 of a durable create ÷ ${beside}`, latencies, { unit: 'ms', target: { atMost: 1.3 } }),
  ]
}

async function besideEmpty(bench: Bench): Promise<FigureRow> {
  const connections = 64
  const place = await bench.ground.seeded({ shape: 'snapshot', size: MILLION })
  const full = await startDaemonServer(bench, place)
  const pairs = await interleave(bench.rounds, {
    paycli: (round) => creates(bench, full, { name: 'at 1 M', connections, round }),
    baseline: (round) =>
      withDaemon(bench, {}, (server) => creates(bench, server, { name: 'at 0', connections, round })),
  })
  await full.end()
  await bench.ground.release(place)
  const what = `durable create at 1 M records ÷ at 0, ${connections} connections`
  return rateRow(what, pairs, { atLeast: 0.85 })
}

async function onServer(
  starting: Promise<Server>,
  work: (server: Server) => Promise<MeasuredLoad>,
): Promise<MeasuredLoad> {
  const server = await starting
  const measured = await work(server)
  await server.end()
  return measured
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
  return measureAndNote(bench, server, {
    name: `${connections} connections: ${name}`,
    ...traffic(from + NUMBERS_PER_ROUND),
  })
}

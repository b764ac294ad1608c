import type { Bench, Figure, FigureRow } from './figure.ts'
import { customerId, customersWithSessions, dueDate, dueDates, emailOf, type RecordMix } from './records.ts'
import { interleave } from './rounds.ts'
import {
  measure,
  measureAndNote,
  processorRow,
  rateRow,
  type Server,
  startBareServer,
  startDaemonServer,
} from './servers.ts'

const WARM_SECONDS = 1
const CONNECTIONS = 64
const SMALL = 1000

interface ListFilter {
  readonly what: string
  readonly path: string
  /** The number of different values of the filter in a set of this size. */
  readonly numbers: (size: number) => number
}

const LIST_CUSTOMERS = { method: 'GET', path: '/v1/customers' } as const

/** Every fifth record is a checkout session; the other four are customers. */
const CUSTOMERS_IN_A_ROW = 4

const LISTS: readonly ListFilter[] = [
  { what: 'customers', path: '/v1/customers', numbers: () => 1 },
  { what: 'customers by email', path: `/v1/customers?email=${emailOf('{n}')}`, numbers: (size) => size },
  {
    what: 'checkout sessions by customer',
    path: `/v1/checkout_sessions?customer=${customerId('{n}')}`,
    numbers: customersWithSessions,
  },
  { what: 'checkout sessions by status', path: '/v1/checkout_sessions?status=open', numbers: () => 1 },
  {
    what: 'checkout sessions by customer and status',
    path: `/v1/checkout_sessions?customer=${customerId('{n}')}&status=open`,
    numbers: customersWithSessions,
  },
  { what: 'events', path: '/v1/events', numbers: () => 1 },
  { what: 'events by type', path: '/v1/events?type=customer.created', numbers: () => 1 },
  {
    what: 'events by type, created before',
    path: '/v1/events?type=customer.created&created[lt]=2000000000',
    numbers: () => 1,
  },
  {
    what: 'events by object_id',
    path: `/v1/events?object_id=${customerId('{n}')}`,
    numbers: () => CUSTOMERS_IN_A_ROW,
  },
]

const BILLED_LISTS: readonly ListFilter[] = [
  { what: 'invoices by due date', path: `/v1/invoices?due_date=${dueDate('{n}')}`, numbers: dueDates },
  { what: 'invoices due before', path: `/v1/invoices?due_date[lt]=${dueDate('{n}')}`, numbers: dueDates },
  {
    what: 'invoices by status, due before',
    path: `/v1/invoices?status=open&due_date[lt]=${dueDate('{n}')}`,
    numbers: dueDates,
  },
]

/** Lists ten of very many records with each filter, and compares the rate with the same list of few records. */
export const list: Figure = async (bench) => [
  await besideBare(bench),
  ...(await compareAll(bench, LISTS, 'mixed')),
  ...(await compareAll(bench, BILLED_LISTS, 'billed')),
]

async function besideBare(bench: Bench): Promise<FigureRow> {
  const size = 100_000
  const place = await bench.ground.seeded({ shape: 'snapshot', size })
  const [daemon, bare] = [await startDaemonServer(bench, place), await startBareServer()]
  const numbers = { from: 0, to: 1, isRandom: false }
  const traffic = { asked: LIST_CUSTOMERS, connections: CONNECTIONS, numbers }
  const rate = (server: Server, name: string) => measureAndNote(bench, server, { name, ...traffic })
  for (const server of [daemon, bare]) await measure(server, traffic, WARM_SECONDS)
  const pairs = await interleave(bench.rounds, {
    paycli: () => rate(daemon, 'page of 10 customers'),
    baseline: () => rate(bare, 'the same from bare Koa'),
  })
  await Promise.all([daemon.end(), bare.end(), bench.ground.release(place)])
  return processorRow('page of 10 customers at 100 k ÷ bare Koa', pairs, { atMost: 1.5, later: 1.15 })
}

async function compareAll(
  bench: Bench,
  lists: readonly ListFilter[],
  blend: RecordMix,
): Promise<FigureRow[]> {
  const size = bench.isQuick ? 100_000 : 1_000_000
  const places = [
    await bench.ground.seeded({ shape: 'snapshot', size, blend }),
    await bench.ground.seeded({ shape: 'snapshot', size: SMALL, blend }),
  ] as const
  const full = await startDaemonServer(bench, places[0])
  const small = await startDaemonServer(bench, places[1])
  const rows: FigureRow[] = []
  for (const one of lists) rows.push(await compare(bench, one, { full, small, size }))
  await Promise.all([full.end(), small.end(), ...places.map(bench.ground.release)])
  return rows
}

async function compare(
  bench: Bench,
  { what, path, numbers }: ListFilter,
  { full, small, size }: { readonly full: Server; readonly small: Server; readonly size: number },
): Promise<FigureRow> {
  const name = bench.isQuick ? '100 k' : '1 M'
  const traffic = (of: number) => ({
    asked: { method: 'GET', path } as const,
    connections: CONNECTIONS,
    numbers: { from: 0, to: numbers(of), isRandom: true },
  })
  const rate = (server: Server, of: number) =>
    measureAndNote(bench, server, { name: `${what} at ${of}:`, seconds: bench.seconds / 2, ...traffic(of) })
  await measure(full, traffic(size), WARM_SECONDS)
  await measure(small, traffic(SMALL), WARM_SECONDS)
  const pairs = await interleave(bench.rounds, {
    paycli: () => rate(full, size),
    baseline: () => rate(small, SMALL),
  })
  const target = { atLeast: 0.9 }
  return rateRow(`page of 10 ${what} at ${name} ÷ at 1 k`, pairs, target)
}

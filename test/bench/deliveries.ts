import { customers } from '../../src/api/operations/customers.ts'
import { webhookEndpoints } from '../../src/api/operations/webhook-endpoints.ts'
import type { Client } from '../../src/client/client.ts'
import { type Bench, type Figure, type FigureRow, valueRow } from './figure.ts'
import { machineMs } from './machine-time.ts'
import { type RoleProcess, startRole } from './role-process.ts'
import type { Roles } from './roles.ts'
import { interleave, median } from './rounds.ts'
import { clientOf, rateRow, withDaemon } from './servers.ts'

const EVENTS = 3000
const QUICK_EVENTS = 600
const CREATES_AT_ONCE = 8
const MOST_RECEIVERS = 10
const TIMED_CREATES = 300

export type Receivers = RoleProcess<Awaited<ReturnType<Roles['receivers']>>>

/** Deliveries per second beside a bare undici loop, the latency of a delivery, and the delay that a hanging endpoint causes. */
export const deliveries: Figure = async (bench) => {
  const receivers = await startRole('receivers', { count: MOST_RECEIVERS })
  const rows: FigureRow[] = []
  for (const count of [1, MOST_RECEIVERS]) rows.push(await rates(bench, receivers, count))
  rows.push(...(await latencyRows(bench, receivers)))
  await receivers.kill()
  return rows
}

async function rates(bench: Bench, receivers: Receivers, count: number): Promise<FigureRow> {
  const events = Math.round((bench.isQuick ? QUICK_EVENTS : EVENTS) / Math.sqrt(count))
  const ports = (await receivers.call('ports')).slice(0, count)
  const pairs = await interleave(bench.rounds, {
    paycli: () => deliveryRate(bench, receivers, { ports, events }),
    baseline: () => postRate(bench, receivers, { ports, events }),
  })
  const what = `deliveries to ${count} local receiver${count === 1 ? '' : 's'} ÷ a bare undici loop each`
  return rateRow(what, pairs, { atLeast: 0.75 })
}

interface DaemonWork {
  readonly ports: readonly number[]
  readonly events: number
}

interface DeliveryRate {
  readonly perSecond: number
  /** Processor time of the sending thread per delivery, in microseconds. */
  readonly cpuEach: number
}

function deliveryRate(
  bench: Bench,
  receivers: Receivers,
  { ports, events }: DaemonWork,
): Promise<DeliveryRate> {
  return withDaemon(bench, {}, async (daemon) => {
    await queueDeliveries(clientOf(daemon), receivers, { ports, events })
    const before = await daemon.cpuMicroseconds()
    const from = await receivers.call('open')
    const wanted = (events - 1) * ports.length
    const until = await receivers.call('until', wanted)
    const cpuEach = ((await daemon.cpuMicroseconds()) - before) / wanted
    return noted(bench, `${ports.length} receivers, deliveries`, {
      perSecond: (wanted / (until - from)) * 1000,
      cpuEach,
    })
  })
}

async function postRate(
  bench: Bench,
  receivers: Receivers,
  { ports, events }: DaemonWork,
): Promise<DeliveryRate> {
  const posting = await startRole('posting', {})
  await receivers.call('reset')
  const { seconds, cpuEach } = await posting.call('post', [...ports], events, await eventBody(bench))
  await posting.kill()
  const perSecond = (events * ports.length) / seconds
  return noted(bench, `${ports.length} receivers, bare posts`, { perSecond, cpuEach })
}

function noted(bench: Bench, what: string, rate: DeliveryRate): DeliveryRate {
  const perSecond = Math.round(rate.perSecond).toLocaleString('en')
  bench.note(`${what}: ${perSecond}/s, ${rate.cpuEach.toFixed(0)} µs of processor each`)
  return rate
}

let body: Promise<string> | undefined

/** Returns the body of an event delivery. */
function eventBody(bench: Bench): Promise<string> {
  body ??= withDaemon(bench, {}, async (daemon) => {
    const client = clientOf(daemon)
    const { id } = await client.call(customers.create, { email: 'ada@example.com', name: 'Ada Lovelace' })
    const { data } = (await client.send({ method: 'GET', path: '/v1/events' }, { object_id: id })) as {
      data: object[]
    }
    return JSON.stringify(data[0])
  })
  return body
}

/** Creates webhook endpoints, and events that are queued behind the first delivery to each, which has no response yet. */
export async function queueDeliveries(
  client: Client,
  receivers: Receivers,
  { ports, events }: DaemonWork,
): Promise<void> {
  for (const port of ports) await client.call(webhookEndpoints.create, { url: `http://127.0.0.1:${port}/` })
  await receivers.call('hold')
  await createCustomers(client, events)
}

/** Creates this number of customers, a few at a time. */
async function createCustomers(client: Client, count: number): Promise<void> {
  let left = count
  const one = async () => {
    for (; left > 0; ) {
      left -= 1
      await client.call(customers.create, { email: 'ada@example.com', name: 'Ada Lovelace' })
    }
  }
  await Promise.all(Array.from({ length: CREATES_AT_ONCE }, one))
}

async function latencyRows(bench: Bench, receivers: Receivers): Promise<FigureRow[]> {
  const pairs = await interleave(bench.rounds, {
    paycli: () => latencies(bench, receivers, { hasSilent: true }),
    baseline: () => latencies(bench, receivers, { hasSilent: false }),
  })
  const p50 = { paycli: pairs.baseline.map(median), baseline: pairs.paycli.map(median) }
  const most = (rounds: readonly number[][]) => rounds.map((round) => Math.max(...round))
  const worst = { paycli: most(pairs.paycli), baseline: most(pairs.baseline) }
  return [
    valueRow('from the answer of the API to the receiver, p50 (beside: with a silent endpoint)', p50, {
      unit: 'ms',
      target: { atMost: 5 },
    }),
    valueRow('the same at worst, with an endpoint that never answers (beside: without)', worst, {
      unit: 'ms',
      target: { atMost: 100 },
    }),
  ]
}

/** Returns the time from the response to each lone create until the arrival of its event, in milliseconds. */
function latencies(
  bench: Bench,
  receivers: Receivers,
  { hasSilent }: { readonly hasSilent: boolean },
): Promise<number[]> {
  return withDaemon(bench, {}, async (daemon) => {
    const client = clientOf(daemon)
    const [port] = await receivers.call('ports')
    await receivers.call('reset')
    if (hasSilent) {
      const silent = await receivers.call('silentPort')
      await client.call(webhookEndpoints.create, { url: `http://127.0.0.1:${silent}/` })
    }
    await client.call(webhookEndpoints.create, { url: `http://127.0.0.1:${port}/timed` })
    const answered = new Map<string, number>()
    for (let made = 0; made < TIMED_CREATES; made += 1) {
      const { id } = await client.call(customers.create, { email: 'ada@example.com' })
      answered.set(id, machineMs())
    }
    await receivers.call('until', TIMED_CREATES)
    const arrivals = await receivers.call('arrivals')
    return [...answered].map(([id, at]) => (arrivals[id] ?? Number.POSITIVE_INFINITY) - at)
  })
}

import { type Bench, type Figure, type FigureRow, valueRow } from './figure.ts'
import type { LoadOptions, LoadRequest } from './load-generator.ts'
import type { startRenewalDaemon } from './renewal-daemon.ts'
import { type RoleProcess, startRole } from './role-process.ts'

const MONTHS = 12
const IDLE_SECONDS = 5
const LIMIT_SECONDS = 240
const REQUESTS_PER_SECOND = 100
const TARGET_MS = 25

type Renewing = RoleProcess<Awaited<ReturnType<typeof startRenewalDaemon>>>

/**
 * The longest latency of other clients, in milliseconds, while one clock advances through a year of monthly renewals.
 * The baseline is the latency of the same requests before the advance.
 */
export const advanceWaits: Figure = async (bench) => [
  await waitsRow(bench, 'lowdb'),
  await waitsRow(bench, 'memory'),
]

async function waitsRow(bench: Bench, store: 'lowdb' | 'memory'): Promise<FigureRow> {
  const subscriptions = bench.isQuick ? 2000 : 10_000
  const waits = { paycli: [] as number[], baseline: [] as number[] }
  for (let round = 0; round < bench.rounds; round += 1) {
    const { idleMs, advancingMs } = await longestWaits(bench, store, subscriptions)
    waits.baseline.push(idleMs)
    waits.paycli.push(advancingMs)
  }
  const what = `longest wait of other clients during ${subscriptions.toLocaleString('en')} subscriptions × ${MONTHS} months on a clock, ${store}, beside no advance`
  return valueRow(what, waits, { unit: 'ms', target: { atMost: TARGET_MS } })
}

async function longestWaits(bench: Bench, store: 'lowdb' | 'memory', subscriptions: number) {
  const place = await bench.ground.empty()
  const file = store === 'memory' ? null : place.file
  const renewing = await startRole('renewing', { ...place, file }, { flags: bench.daemonFlags })
  await renewing.call('subscribe', subscriptions)
  const load = await startRole('load', {})
  // Warm up, so that both processes have compiled their code before the measurement.
  await waitsOf(load, renewing, IDLE_SECONDS)
  const idle = await waitsOf(load, renewing, IDLE_SECONDS)
  const waiting = waitsOf(load, renewing, LIMIT_SECONDS)
  const seconds = await renewing.call('advance', MONTHS)
  await load.call('stop')
  const advancing = await waiting
  const rate = Math.round((subscriptions * MONTHS) / seconds).toLocaleString('en')
  bench.note(`${store}: ${describe(idle)}; during ${rate} renewals/s: ${describe(advancing)}`)
  await load.kill()
  await renewing.call('stop')
  await renewing.gone
  await bench.ground.release(place)
  const longest = (waits: typeof idle) => Math.max(...waits.map(({ slowestMs }) => slowestMs))
  return { idleMs: longest(idle), advancingMs: longest(advancing) }
}

function describe(waits: Awaited<ReturnType<typeof waitsOf>>): string {
  return waits
    .map(
      ({ name, slowestMs, medianMs }) => `${name} ${slowestMs.toFixed(1)} ms (median ${medianMs.toFixed(1)})`,
    )
    .join(', ')
}

/** Returns the latencies of three other clients: one retrieves, one lists, one creates. */
async function waitsOf(load: RoleProcess<LoadCommands>, renewing: Renewing, seconds: number) {
  const [port, key, customer] = [
    await renewing.call('port'),
    await renewing.call('key'),
    await renewing.call('customer'),
  ]
  const asked: Readonly<Record<string, LoadRequest>> = {
    retrieve: { method: 'GET', path: `/v1/customers/${customer}`, key },
    list: { method: 'GET', path: '/v1/invoices?limit=10', key },
    create: { method: 'POST', path: '/v1/customers', key, body: '{"email":"u{n}@example.com"}' },
  }
  const running = Object.entries(asked).map(async ([name, one]) => {
    const options: LoadOptions = {
      port,
      asked: one,
      connections: 1,
      seconds,
      perSecond: REQUESTS_PER_SECOND,
      numbers: { from: 0, to: REQUESTS_PER_SECOND * LIMIT_SECONDS, isRandom: false },
    }
    return { name, ...(await load.call('run', options)) }
  })
  return Promise.all(running)
}

type LoadCommands = Awaited<ReturnType<typeof import('./load-generator.ts').openLoadGenerator>>

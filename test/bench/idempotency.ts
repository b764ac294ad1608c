import { setTimeout as sleep } from 'node:timers/promises'
import { CREATE_CUSTOMER } from './create.ts'
import { type Bench, type Figure, type FigureRow, valueRow } from './figure.ts'
import { startRole } from './role-process.ts'
import { measure, type Server, startDaemonServer } from './servers.ts'

const CREATES = 262_000
/** Longer than the interval of the retention job, which runs every minute. */
const REPEAT_AFTER_MS = 120_000
const SAMPLES = 1000
const CONNECTIONS = 64
const BURST_SECONDS = 10
const ANSWERS = 100_000
const BYTES_PER_KB = 1000

/** Keyed requests repeated after 262,000 other keyed requests, and the memory of a stored response. */
export const idempotency: Figure = async (bench) => {
  const place = await bench.ground.empty()
  const server = await startDaemonServer(bench, place)
  const refund = await paidRefund(server)
  const first = await post(server, refund)
  const startedMs = performance.now()
  const keyed = await createMany(bench, server)
  await sleep(Math.max(0, REPEAT_AFTER_MS - (performance.now() - startedMs)))
  const again = await post(server, refund)
  const isSame = again.isReplay && again.text === first.text
  bench.note(`refund repeated after ${keyed} keyed creates: ${isSame ? 'the same answer' : again.text}`)
  const kept = await replayedShare(server, keyed)
  await server.end()
  await bench.ground.release(place)
  const cost = await kilobytesPerAnswer(bench)
  return [
    row('repeats answered as before, after 262,000 keyed creates and 2 minutes', isSame ? kept : 0, {
      unit: '',
      target: { atLeast: 1 },
    }),
    row('memory per kept answer', cost, { unit: 'kB', target: { atMost: 2 } }),
  ]
}

function row(what: string, value: number, held: Parameters<typeof valueRow>[2]): FigureRow {
  return { ...valueRow(what, { paycli: [value], baseline: [value] }, held), baseline: '', ratio: '' }
}

interface KeyedPost {
  readonly path: string
  readonly key: string | null
  readonly body: object
}

async function post({ port, key: apiKey }: Server, { path, key, body }: KeyedPost) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      ...(key === null ? {} : { 'Idempotency-Key': key }),
    },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${text}`)
  return { text, isReplay: response.headers.get('idempotent-replayed') === 'true' }
}

async function paidRefund(server: Server): Promise<KeyedPost> {
  const create = async (path: string, body: object) =>
    JSON.parse((await post(server, { path, key: null, body })).text)
  const { id: customer } = await create('/v1/customers', { email: 'ada@example.com' })
  const { id } = await create('/v1/payment_sessions', {
    ...{ amount: 5000, currency: 'eur', customer },
    ...{ payment_method_types: ['card'], return_url: 'https://example.com/' },
  })
  const { payment } = await create(`/v1/test_helpers/payment_sessions/${id}/complete`, { test_card: 'visa' })
  return { path: '/v1/refunds', key: 'refund', body: { payment, amount: 1000 } }
}

async function createMany(bench: Bench, server: Server): Promise<number> {
  let count = 0
  while (count < CREATES) {
    const numbers = { from: count, to: count + CREATES, isRandom: false }
    const asked = { ...CREATE_CUSTOMER, idempotencyKey: 'load-{n}' }
    const { requests, perSecond } = await measure(
      server,
      { asked, connections: CONNECTIONS, numbers },
      BURST_SECONDS,
    )
    count += requests
    bench.note(`${count} keyed creates, ${Math.round(perSecond)}/s`)
  }
  return count
}

/** Returns the share of sampled keyed creates that is still replayed. */
async function replayedShare(server: Server, count: number): Promise<number> {
  let replayed = 0
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const digits = String(Math.floor((sample * CREATES) / SAMPLES) % count).padStart(8, '0')
    const body = JSON.parse(CREATE_CUSTOMER.body.replaceAll('{n}', digits))
    const { isReplay } = await post(server, { path: '/v1/customers', key: `load-${digits}`, body })
    if (isReplay) replayed += 1
  }
  return replayed / SAMPLES
}

async function kilobytesPerAnswer(bench: Bench): Promise<number> {
  const places = [await bench.ground.empty(), await bench.ground.empty()]
  const [empty, full] = await Promise.all(
    places.map(({ file }) => startRole('held', { file }, { flags: ['--expose-gc'] })),
  )
  if (empty === undefined || full === undefined) throw new Error('no process to measure')
  await full.call('addAnswers', ANSWERS)
  const bytes = (await full.call('memory')) - (await empty.call('memory'))
  await Promise.all([empty.kill(), full.kill()])
  await Promise.all(places.map(bench.ground.release))
  return bytes / ANSWERS / BYTES_PER_KB
}

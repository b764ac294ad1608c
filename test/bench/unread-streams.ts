import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { api } from '../../src/api/api.ts'
import { type Client, createClient } from '../../src/client/client.ts'
import { createCustomers } from './deliveries.ts'
import { type Bench, type Figure, valueRow } from './figure.ts'
import { type DaemonServer, startDaemonServer } from './servers.ts'

const STREAMS = 200
const STREAMS_PER_KEY = 100
const EVENTS = 6000
const QUICK_EVENTS = 2000
const SECONDS = 10
const QUICK_SECONDS = 4
const SAMPLE_MS = 100
const BYTES_PER_MB = 1_000_000

/** Cost of many clients that open a stream and never read it: memory and event-loop stalls, beside no clients. */
export const unreadStreams: Figure = async (bench) => {
  const rounds = bench.isQuick ? 1 : 3
  const [paycli, baseline]: [StreamCost[], StreamCost[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    baseline.push(await cost(bench, 0))
    paycli.push(await cost(bench, STREAMS))
  }
  const pairs = (one: (cost: StreamCost) => number) => ({
    paycli: paycli.map(one),
    baseline: baseline.map(one),
  })
  const memory = pairs(({ megabytes }) => megabytes)
  const stall = pairs(({ stallMs }) => stallMs)
  return [
    valueRow(`memory that ${STREAMS} unread streams add (beside: none)`, memory, {
      unit: 'MB',
      target: { atMost: 100 },
    }),
    valueRow(`longest stall of the event loop with them, in processor time (beside: none)`, stall, {
      unit: 'ms',
      target: { atMost: 50 },
    }),
  ]
}

interface StreamCost {
  readonly megabytes: number
  readonly stallMs: number
}

async function cost(bench: Bench, streams: number): Promise<StreamCost> {
  const place = await bench.ground.empty()
  const daemon = await startDaemonServer(bench, place)
  try {
    const client = createClient({ apiBase: `http://127.0.0.1:${daemon.port}`, apiKey: daemon.key })
    await createCustomers(client, bench.isQuick ? QUICK_EVENTS : EVENTS)
    await sleep(1000)
    return await underLoad(bench, { daemon, client, streams })
  } finally {
    await daemon.end()
    await bench.ground.release(place)
  }
}

interface StreamLoad {
  readonly daemon: DaemonServer
  readonly client: Client
  readonly streams: number
}

async function underLoad(bench: Bench, { daemon, client, streams }: StreamLoad): Promise<StreamCost> {
  const before = await daemon.child.call('residentBytes')
  await daemon.child.call('watchStalls')
  const opened = await openStreams(client, daemon.port, streams)
  const endMs = performance.now() + (bench.isQuick ? QUICK_SECONDS : SECONDS) * 1000
  let most = 0
  while (performance.now() < endMs) {
    await createCustomers(client, 1)
    most = Math.max(most, await daemon.child.call('residentBytes'))
    await sleep(SAMPLE_MS)
  }
  const stalls = await daemon.child.call('stalls')
  const accepted = opened.filter(({ statusCode }) => statusCode === 200).length
  for (const response of opened) response.destroy()
  const megabytes = (most - before) / BYTES_PER_MB
  const stallMs = Math.max(0, ...stalls.map(({ cpuMs }) => cpuMs))
  const longest = Math.max(0, ...stalls.map(({ ms }) => ms))
  const measured = `${Math.round(megabytes)} MB more, longest stall ${Math.round(longest)} ms (processor ${Math.round(stallMs)} ms)`
  bench.note(`${accepted} of ${streams} streams: ${measured}`)
  return { megabytes, stallMs }
}

/** Opens streams from the first event on, with restricted keys, and never reads them. */
async function openStreams(client: Client, port: number, count: number): Promise<readonly IncomingMessage[]> {
  const keys: string[] = []
  while (keys.length * STREAMS_PER_KEY < count) {
    keys.push((await client.call(api.apiKeys.create, { scopes: ['events:read'] })).secret)
  }
  return Promise.all(
    Array.from({ length: count }, (_, at) => openStream(port, keys[Math.floor(at / STREAMS_PER_KEY)] ?? '')),
  )
}

function openStream(port: number, key: string): Promise<IncomingMessage> {
  const headers = { Authorization: `Bearer ${key}` }
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path: '/v1/stream?after=0', headers, agent: false }
    get(options, (response) => {
      response.on('error', () => {})
      resolve(response)
    }).on('error', reject)
  })
}

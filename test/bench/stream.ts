import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { api } from '../../src/api/api.ts'
import { type Client, createClient } from '../../src/client/client.ts'
import { isReady, type Listening, startListening } from '../commands/listening.ts'
import { type Serving, startServing } from '../commands/serving.ts'
import { openWebhookServer, type WebhookServer } from '../webhooks/webhook-server.ts'
import type { Bench, Figure, FigureRow } from './figure.ts'

const KILLS = 50
const QUICK_KILLS = 6
const STOP_SECONDS = 60
const QUICK_STOP_SECONDS = 5
const WRITERS = 4
const PAUSE_MS = 25
const PAGE = 100
const SETTLE_LIMIT_MS = 120_000
/** Duration of the handler: most kills happen while it processes a request. */
const HANDLER_MS = 2
const ENDS = ['daemon', 'listener', 'both'] as const

/** Kills and pauses daemon and listener under load, and counts lost and duplicate events. */
export const stream: Figure = underLoad

/** A daemon that is restarted on its database and port, a receiver, and a continuous writer. */
interface StreamBench {
  readonly client: Client
  readonly receiver: WebhookServer
  readonly env: Readonly<Record<string, string>>
  serving: Serving
  listening: Listening
  readonly restart: () => Promise<Serving>
}

async function open(folder: string): Promise<StreamBench & { readonly first: Serving }> {
  const home = { PAYCLI_HOME: folder }
  const flags = ['--db', join(folder, 'db.json'), '--log-format', 'silent']
  const first = await startServing(flags, home)
  const { api_url, api_key } = first.location
  const receiver = await openWebhookServer((_request, response) =>
    setTimeout(() => response.end('ok'), HANDLER_MS),
  )
  const env = { PAYCLI_API_BASE: api_url, PAYCLI_API_KEY: api_key }
  const listening = startListening(['-f', String(receiver.port)], env)
  await listening.until(isReady)
  return {
    ...{ client: createClient({ apiBase: api_url, apiKey: api_key }), receiver, env, first, listening },
    serving: first,
    restart: () => startServing([...flags, '--port', new URL(api_url).port], home),
  }
}

async function write(client: Client, isOver: () => boolean): Promise<void> {
  for (let number = 0; !isOver(); number += 1) {
    // A request that a kill interrupted may have succeeded; the list of events at the end decides.
    await client.call(api.customers.create, { email: `n${number}@example.com` }).catch(() => {})
    await sleep(PAUSE_MS)
  }
}

async function underLoad(bench: Bench): Promise<FigureRow[]> {
  const place = await bench.ground.empty()
  const stage = await open(place.folder)
  let isOver = false
  const writing = Array.from({ length: WRITERS }, () => write(stage.client, () => isOver))
  const twice = { daemon: 0, listener: 0, both: 0 }
  const kills = bench.isQuick ? QUICK_KILLS : KILLS
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(Math.random() * 500)
    const before = repeated(stage.receiver)
    const end = ENDS[kill % ENDS.length] ?? 'both'
    await killing[end](stage)
    const count = stage.receiver.received.length
    await stage.receiver.waitFor(count + 5)
    twice[end] += repeated(stage.receiver) - before
  }
  bench.note(`${kills} kills: ${stage.receiver.received.length} received, ${JSON.stringify(twice)} twice`)
  const seconds = bench.isQuick ? QUICK_STOP_SECONDS : STOP_SECONDS
  const before = repeated(stage.receiver)
  stage.listening.kill('SIGSTOP')
  await sleep(seconds * 1000)
  stage.listening.kill('SIGCONT')
  isOver = true
  await Promise.all(writing)
  const { told, lost } = await settle(stage)
  const stopped = repeated(stage.receiver) - before
  bench.note(`${told} events, ${lost} lost, ${stopped} twice after a stop of ${seconds} s`)
  stage.listening.kill('SIGINT')
  await stage.listening.ended
  stage.serving.kill('SIGTERM')
  await Promise.all([stage.serving.ended, stage.receiver.close()])
  await bench.ground.release(place)
  const what = `${kills} kills of daemon or listener, a stop of ${seconds} s, ${told} events`
  return [
    { ...countRow(`${what}: lost`, lost), target: '0', met: lost === 0 ? 'yes' : 'NO' },
    countRow('of these delivered twice, by killing the daemon', twice.daemon),
    countRow('by killing the listener', twice.listener),
    countRow('by killing both at once', twice.both),
    countRow(`by stopping the listener for ${seconds} s`, stopped),
  ]
}

const killing: Readonly<Record<(typeof ENDS)[number], (stage: StreamBench) => Promise<void>>> = {
  daemon: killDaemon,
  listener: killListener,
  async both(stage) {
    stage.listening.kill('SIGKILL')
    await killDaemon(stage)
    await killListener(stage)
  },
}

async function killDaemon(stage: StreamBench): Promise<void> {
  stage.serving.kill('SIGKILL')
  await stage.serving.ended
  stage.serving = await stage.restart()
}

async function killListener(stage: StreamBench): Promise<void> {
  stage.listening.kill('SIGKILL')
  await stage.listening.ended
  stage.listening = startListening(['-f', String(stage.receiver.port)], stage.env)
  await stage.listening.until(isReady)
}

const idsOf = ({ received }: WebhookServer) => new Set(received.map(({ headers }) => headers['webhook-id']))
const repeated = (receiver: WebhookServer) => receiver.received.length - idsOf(receiver).size

/** Waits until every event has been received or the time limit has passed, and counts missing events. */
async function settle({ client, receiver }: StreamBench): Promise<{ told: number; lost: number }> {
  const happened: string[] = []
  for (let starting_after: string | undefined; ; starting_after = happened.at(-1)) {
    const cursor = starting_after === undefined ? {} : { starting_after }
    const { data, has_more } = await client.call(api.events.list, { limit: PAGE, ...cursor })
    happened.push(...data.map(({ id }) => id))
    if (!has_more) break
  }
  const missing = () => {
    const ids = idsOf(receiver)
    return happened.filter((id) => !ids.has(id)).length
  }
  const endMs = performance.now() + SETTLE_LIMIT_MS
  while (missing() > 0 && performance.now() < endMs) await sleep(100)
  return { told: happened.length, lost: missing() }
}

// Duplicates have no target: delivery is at least once.
function countRow(what: string, count: number): FigureRow {
  return { what, paycli: String(count), baseline: '', ratio: '', byProcessor: '', target: '', met: '' }
}

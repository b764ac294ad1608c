import { EventEmitter } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '../../src/cli/listen/listener.ts'
import { createClient } from '../../src/client/client.ts'
import type { DeliveryRecord } from '../../src/client/listen-records.ts'
import type { Event } from '../../src/domain/events.ts'
import { openScreen } from '../../src/tui/screen.ts'
import { median } from './rounds.ts'

const FRAMES_PER_SECOND = 20
const KEY_EVERY_MS = 500
const WARM_UP_MS = 3000
const MEGABYTE = 1024 * 1024

export interface ScreenOptions {
  readonly eventsPerSecond: number
}

/** The cost of one period: `heapMb` is the used heap after a collection, `keyMs` the time to draw a key press. */
export interface ScreenSample {
  readonly events: number
  readonly cpuPercent: number
  readonly residentMb: number
  readonly heapMb: number
  readonly keyMs: number
}

/**
 * Starts a listener with its screen on a terminal of 120×40, which shows the list and an event, and a stream that sends
 * continuously. One of five deliveries fails.
 */
export async function startScreen({ eventsPerSecond }: ScreenOptions) {
  const source = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.write(`event: ready\ndata: ${JSON.stringify(READY)}\n\n`)
    pour(response, eventsPerSecond).catch(() => {})
  })
  await new Promise<void>((resolve) => {
    source.listen(0, '127.0.0.1', resolve)
  })
  const apiBase = `http://127.0.0.1:${(source.address() as AddressInfo).port}`
  const terminal = createTerminal()
  const screen = openScreen(portsOf(apiBase), terminal)
  let events = 0
  let keys = 0
  listen({
    ...{ apiBase, client: createClient({ apiBase }), signal: new AbortController().signal },
    settings: { types: null, filter: [], forwardRules: [], headers: {} },
    onRecord(record) {
      screen.record(record)
      if (record.type !== 'event') return
      events += 1
      screen.record(deliveryOf(record.event))
    },
  })
  await sleep(WARM_UP_MS)
  return {
    async watch(seconds: number): Promise<ScreenSample> {
      const before = events
      const [cpu, startedMs] = [process.cpuUsage(), performance.now()]
      const latencies: number[] = []
      for (; performance.now() - startedMs < seconds * 1000; keys += 1) {
        const [pressed, shows] = keys % 2 === 0 ? ['?', 'any other key: back'] : ['h', 'q quit']
        latencies.push(await terminal.press(pressed, shows))
        await sleep(KEY_EVERY_MS)
      }
      const { user, system } = process.cpuUsage(cpu)
      const cpuPercent = Math.round((user + system) / 10 / (performance.now() - startedMs))
      return { events: events - before, cpuPercent, ...memoryMb(), keyMs: Math.round(median(latencies)) }
    },
  }
}

const TARGET = {
  webhook_endpoint: 'we_1',
  url: 'http://127.0.0.1:3000/',
  enabled_events: ['*'],
  status: 'enabled',
}
const READY = { reader: 'r', sequence: 0, database: 'd', webhook_secret: 'whsec_', targets: [TARGET] }
const FAILED_SHARE = 5

function deliveryOf({ id, type, sequence }: Event): DeliveryRecord {
  const hasFailed = sequence % FAILED_SHARE === 0
  return {
    ...{ type: 'delivery', id: `whd_${sequence}`, event: id, event_type: type, webhook_endpoint: 'we_1' },
    ...{
      url: TARGET.url,
      attempt: 1,
      trigger: 'automatic',
      fault: null,
      request_headers: { 'webhook-id': id },
    },
    ...{ http_status: hasFailed ? 500 : 200, error: hasFailed ? 'http_status' : null, error_message: null },
    ...{ duration_ms: sequence % 90, response_body: 'ok', response_body_truncated: false },
  }
}

function memoryMb(): Pick<ScreenSample, 'residentMb' | 'heapMb'> {
  globalThis.gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  return { residentMb: Math.round(rss / MEGABYTE), heapMb: Math.round(heapUsed / MEGABYTE) }
}

async function pour(response: Writable, eventsPerSecond: number): Promise<void> {
  const startedMs = performance.now()
  for (let sequence = 0; !response.destroyed; ) {
    const due = ((performance.now() - startedMs) / 1000) * eventsPerSecond
    let text = ''
    for (; sequence < due; sequence += 1) text += frameOf(sequence + 1)
    if (text !== '') response.write(text)
    await sleep(1000 / FRAMES_PER_SECOND)
  }
}

function frameOf(sequence: number): string {
  const object = {
    id: `cus_${sequence}`,
    object: 'customer',
    email: `n${sequence}@example.com`,
    metadata: {},
  }
  const event = {
    id: `evt_${sequence}`,
    object: 'event',
    type: 'customer.created',
    created: Math.floor(Date.now() / 1000),
    request: { id: `req_${sequence}`, idempotency_key: null },
    sequence,
    data: { object },
  }
  return `id: ${sequence}\nevent: event\ndata: ${JSON.stringify(event)}\n\n`
}

function portsOf(apiBase: string) {
  const nothing = async () => {}
  return {
    ...{
      apiBase,
      sandbox: null,
      triggers: [],
      resend: nothing,
      trigger: nothing,
      copy: nothing,
      open: nothing,
    },
    attempts: async () => [],
    pendingAttempts: async () => [],
    quit: () => {},
    nowMs: () => Date.now(),
  }
}

/** Streams that Ink treats as a terminal. */
function createTerminal() {
  let drawn = (_frame: string) => {}
  const stdout = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        drawn(String(chunk))
        done()
      },
    }),
    { columns: 120, rows: 40, isTTY: true },
  )
  const keys: string[] = []
  const stdin = Object.assign(new EventEmitter(), {
    isTTY: true,
    setEncoding() {},
    setRawMode() {},
    resume() {},
    pause() {},
    ref() {},
    unref() {},
    read: () => keys.shift() ?? null,
  })
  return {
    stdout: stdout as unknown as NodeJS.WriteStream,
    stdin: stdin as unknown as NodeJS.ReadStream,
    /** Presses a key; resolves with the time until the screen is redrawn, in milliseconds. */
    press(key: string, shows: string): Promise<number> {
      const startedMs = performance.now()
      return new Promise((resolve) => {
        drawn = (frame) => {
          if (frame.includes(shows)) resolve(performance.now() - startedMs)
        }
        keys.push(key)
        stdin.emit('readable')
      })
    },
  }
}

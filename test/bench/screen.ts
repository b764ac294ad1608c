import { EventEmitter } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '../../src/cli/listen/listener.ts'
import { createClient } from '../../src/client/client.ts'
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

/** Starts a listener with its screen on a terminal of 80×24, and a stream that sends continuously. */
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
      events += record.type === 'event' ? 1 : 0
      screen.record(record)
    },
  })
  await sleep(WARM_UP_MS)
  return {
    async watch(seconds: number): Promise<ScreenSample> {
      const before = events
      const [cpu, startedMs] = [process.cpuUsage(), performance.now()]
      const latencies: number[] = []
      for (; performance.now() - startedMs < seconds * 1000; keys += 1) {
        const [pressed, shows] = keys % 2 === 0 ? ['?', 'any key: back'] : ['k', 'q quit']
        latencies.push(await terminal.press(pressed, shows))
        await sleep(KEY_EVERY_MS)
      }
      const { user, system } = process.cpuUsage(cpu)
      const cpuPercent = Math.round((user + system) / 10 / (performance.now() - startedMs))
      return { events: events - before, cpuPercent, ...memoryMb(), keyMs: Math.round(median(latencies)) }
    },
  }
}

const READY = { reader: 'r', sequence: 0, database: 'd', webhook_secret: 'whsec_', targets: [] }

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
    sequence,
    data: { object },
  }
  return `id: ${sequence}\nevent: event\ndata: ${JSON.stringify(event)}\n\n`
}

function portsOf(apiBase: string) {
  const nothing = async () => {}
  return {
    ...{ apiBase, triggers: [], resend: nothing, trigger: nothing, copy: nothing, open: nothing },
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
    { columns: 80, rows: 24, isTTY: true },
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

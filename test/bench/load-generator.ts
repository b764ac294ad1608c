import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from './connection.ts'
import { digitsOf, NUMBER_DIGITS } from './records.ts'
import { median, percentile } from './rounds.ts'

const PLACEHOLDER = '{n}'
const MAX_REQUESTS = 5_000_000
const PACE_MS = 1

/** The request to send; `{n}` in the path and the body is replaced by a number of eight digits. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly key: string
  /** Further API keys, such as those of other sandboxes; the requests use the keys in turn. */
  readonly otherKeys?: readonly string[]
  readonly body?: string
  /** `Idempotency-Key` header, with `{n}` as in the body (default: none). */
  readonly idempotencyKey?: string
}

export interface LoadOptions {
  readonly port: number
  readonly asked: LoadRequest
  readonly connections: number
  readonly seconds: number
  /** The numbers for `{n}`: consecutive from the first, or random. */
  readonly numbers: { readonly from: number; readonly to: number; readonly isRandom: boolean }
  /** Requests per second (default: as fast as responses arrive). */
  readonly perSecond?: number
}

export interface LoadResult {
  readonly requests: number
  readonly perSecond: number
  readonly medianMs: number
  /** 99 of 100 requests took at most this long. */
  readonly p99Ms: number
  readonly slowestMs: number
  /** Share of a core that the generator used; if it is near 1, the generator was the bottleneck. */
  readonly ownLoad: number
}

/** Sends requests from a separate process, so that it shares no event loop with the server. */
export async function openLoadGenerator(_options: Record<string, never>) {
  let isStopped = false
  return {
    async run(options: LoadOptions): Promise<LoadResult> {
      isStopped = false
      return run(options, () => isStopped)
    },
    /** Ends the current run early. */
    async stop(): Promise<void> {
      isStopped = true
    },
  }
}

async function run(options: LoadOptions, isStopped: () => boolean): Promise<LoadResult> {
  const { port, connections, seconds, perSecond } = options
  const opened = await Promise.all(Array.from({ length: connections }, () => Connection.open(port)))
  const write = writerOf(options)
  const latencies: number[] = []
  const cpuBefore = process.cpuUsage()
  const startedMs = performance.now()
  const endMs = startedMs + seconds * 1000
  const isOver = () => isStopped() || performance.now() >= endMs || latencies.length >= MAX_REQUESTS
  const pace = createPace(perSecond, startedMs)
  await Promise.all(
    opened.map(async (connection) => {
      while (!isOver()) {
        if (pace !== null && !(await pace(isOver))) break
        const sentMs = performance.now()
        const status = await connection.send(write())
        if (status !== 200) throw new Error(`${options.asked.path} returned ${status}`)
        latencies.push(performance.now() - sentMs)
      }
    }),
  ).finally(() => {
    for (const connection of opened) connection.close()
  })
  const elapsedMs = performance.now() - startedMs
  const { user, system } = process.cpuUsage(cpuBefore)
  return {
    requests: latencies.length,
    perSecond: (latencies.length * 1000) / elapsedMs,
    medianMs: median(latencies),
    p99Ms: percentile(latencies, 0.99),
    slowestMs: latencies.reduce((a, b) => Math.max(a, b), 0),
    ownLoad: (user + system) / 1000 / elapsedMs,
  }
}

/** Waits until the next request may be sent at the given rate; resolves with false when the run has ended. */
function createPace(perSecond: number | undefined, startedMs: number) {
  if (perSecond === undefined) return null
  let sent = 0
  return async (isOver: () => boolean): Promise<boolean> => {
    while (!isOver()) {
      if (sent < ((performance.now() - startedMs) / 1000) * perSecond) {
        sent += 1
        return true
      }
      await sleep(PACE_MS)
    }
    return false
  }
}

function writerOf({ port, asked, numbers }: LoadOptions): () => string {
  const { method, path, key, otherKeys = [], body = '', idempotencyKey } = asked
  const length = body.replaceAll(PLACEHOLDER, '0'.repeat(NUMBER_DIGITS)).length
  const type = body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${length}`]
  const requests = [key, ...otherKeys].map((one) => {
    const head = [
      `${method} ${path} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer ${one}`,
      ...type,
      ...(idempotencyKey === undefined ? [] : [`Idempotency-Key: ${idempotencyKey}`]),
    ]
    return `${head.join('\r\n')}\r\n\r\n${body}`.split(PLACEHOLDER)
  })
  let last = numbers.from - 1
  let sent = 0
  return () => {
    last = numbers.isRandom
      ? numbers.from + Math.floor(Math.random() * (numbers.to - numbers.from))
      : last + 1
    sent += 1
    return (requests[sent % requests.length] ?? []).join(digitsOf(last))
  }
}

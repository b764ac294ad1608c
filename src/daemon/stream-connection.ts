import type { ServerResponse } from 'node:http'
import type { EventType } from '../domain/event-types.ts'
import type { Event } from '../domain/events.ts'
import type { Reader } from '../store/store.ts'

const WINDOW = 100
const HEARTBEAT_MS = 15_000
/** A reader that takes nothing for so long is cut off; it resumes where it was. */
const STALLED_MS = 45_000
/** What may wait for a reader before events wait in the store in its place; offers may add a little. */
const MAX_QUEUED_BYTES = 1024 * 1024

/** What a reader asked for, and how it is told of it. */
export interface StreamSubject {
  readonly response: ServerResponse
  readonly reader: Reader
  readonly nowMs: () => number
  /** The types to tell of, null for all. */
  readonly types: ReadonlySet<EventType> | null
  /** The place in the sequence after which to begin. */
  readonly after: number
}

/** One reader of the stream. */
export interface StreamConnection {
  /** Sends an event of the stream that has no place in the sequence. */
  readonly send: (name: string, data: object) => void
  /** Sends the events that it has not had, as fast as it takes them; never more than a megabyte waits in memory. */
  readonly pull: () => Promise<void>
  /** Keeps an idle connection alive and ends one that is stuck; call it from time to time. */
  readonly tick: () => void
  readonly close: () => void
}

/** Writes server-sent events to a response whose head is written; `id` is the event's place in the sequence. */
export function createStreamConnection({
  response,
  reader,
  nowMs,
  types,
  after,
}: StreamSubject): StreamConnection {
  let cursor = after
  let lastWriteMs = nowMs()
  let stuckSinceMs: number | null = null
  let pulling: Promise<void> | null = null
  let isAskedAgain = false
  response.on('drain', () => {
    stuckSinceMs = null
    void pull()
  })

  function write(text: string): void {
    lastWriteMs = nowMs()
    response.write(text)
    if (response.writableLength > MAX_QUEUED_BYTES) stuckSinceMs ??= nowMs()
  }

  const send = (name: string, data: object) => write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)

  async function pullAll(): Promise<void> {
    do {
      isAskedAgain = false
      while (!response.closed && stuckSinceMs === null && (await pullWindow()));
    } while (isAskedAgain)
  }

  async function pullWindow(): Promise<boolean> {
    const newest = await reader.newestSequence()
    if (newest < cursor) return restart(newest)
    if (newest === cursor) return false
    const until = Math.min(newest, cursor + WINDOW)
    const ranges = [{ field: 'sequence', gt: cursor, lte: until }]
    const { data } = await reader.list('events', { ranges, limit: WINDOW })
    if (data.length < until - cursor && (await skipForgotten())) return true
    const texts = data
      .toSorted((a, b) => a.sequence - b.sequence)
      .filter(({ type }) => types === null || types.has(type))
      .map(frameOf)
    cursor = until
    if (texts.length > 0) write(texts.join(''))
    return true
  }

  // The place is one of another database: all of this one is new to the reader.
  function restart(newest: number): boolean {
    send('reset', { after: cursor, continues_after: 0, newest })
    cursor = 0
    return true
  }

  async function skipForgotten(): Promise<boolean> {
    const [oldest] = await reader.oldest('events', 1)
    const next = oldest?.sequence ?? (await reader.newestSequence()) + 1
    if (next <= cursor + 1) return false
    send('reset', { after: cursor, continues_after: next - 1 })
    cursor = next - 1
    return true
  }

  function pull(): Promise<void> {
    if (pulling !== null) isAskedAgain = true
    pulling ??= pullAll().finally(() => {
      pulling = null
    })
    return pulling
  }

  return {
    send,
    pull,
    tick() {
      if (stuckSinceMs !== null && nowMs() - stuckSinceMs >= STALLED_MS) response.destroy()
      // The place goes with it, so that a reader of few types does not look through everything again.
      else if (nowMs() - lastWriteMs >= HEARTBEAT_MS) write(`: still here\nid: ${cursor}\n\n`)
    },
    close: () => void response.end(),
  }
}

function frameOf(event: Event): string {
  return `id: ${event.sequence}\nevent: event\ndata: ${JSON.stringify(event)}\n\n`
}

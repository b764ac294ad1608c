import type { EventType } from '../domain/event-types.ts'
import type { RequestLog } from '../domain/request-logs.ts'
import type { Reader } from '../store/port/store.ts'
import { createFairQueue } from './fair-queue.ts'

/** How many records are read at once. */
const WINDOW = 100
/** A piece ends with the event that makes it longer than this. */
const MAX_PIECE_BYTES = 32 * 1024
/** Pieces that readers at the same place share. */
const PIECES_KEPT = 16
/** The place before everything. */
export const START = '0'

/** A piece of a stream with the place that it leads to. */
export interface Piece {
  /** Server-sent events; empty when the reader wants none of the records up to the place. */
  readonly bytes: Buffer
  readonly place: string
}

/** What a stream tells of, as far as it is kept. */
export interface StreamSource {
  /** What comes next after a place; null when there is nothing yet. */
  readonly after: (place: string) => Promise<Piece | null>
}

/** The sources of all streams of a daemon: they read one after the other, and share what they have read. */
export interface StreamSources {
  /** Events in the order of the sequence, which their place is; of all types for null. */
  readonly events: (types: ReadonlySet<EventType> | null) => StreamSource
  /** Requests as they were answered, each with its id for a place. */
  readonly requestLogs: (isWanted: (log: RequestLog) => boolean) => StreamSource
}

/** A server-sent event; `place` is where whoever has had it is to go on. */
export function frameText(name: string, data: object, place: string | null = null): string {
  const head = place === null ? '' : `id: ${place}\n`
  return `${head}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Creates the sources of streams; `yieldToEventLoop` is asked before each piece is read. */
export function createStreamSources(reader: Reader, yieldToEventLoop: () => Promise<void>): StreamSources {
  const inTurn = createFairQueue(yieldToEventLoop)
  const readEvents = createEventReader(reader)
  return {
    events: (types) => ({
      async after(place) {
        const cursor = Number(place)
        const newest = await reader.newestSequence()
        // The place is one of another database: all of this one is new to the reader.
        if (newest < cursor) return gap(cursor, 0)
        if (newest === cursor) return null
        return inTurn(() => readEvents({ cursor, until: Math.min(newest, cursor + WINDOW), types }))
      },
    }),
    requestLogs: (isWanted) => ({
      after: (place) => inTurn(() => logsAfter(reader, place, isWanted)),
    }),
  }
}

interface EventRange {
  readonly cursor: number
  readonly until: number
  readonly types: ReadonlySet<EventType> | null
}

/** Creates a function that reads a piece, or returns the one that another reader at the same place was given. */
function createEventReader(reader: Reader): (range: EventRange) => Promise<Piece> {
  const kept = new Map<string, Piece>()
  return async (range) => {
    const name = `${range.cursor} ${range.until} ${range.types === null ? '*' : [...range.types].sort()}`
    const known = kept.get(name)
    if (known !== undefined) return known
    const piece = await eventsAfter(reader, range)
    kept.set(name, piece)
    const [eldest] = kept.keys()
    if (kept.size > PIECES_KEPT && eldest !== undefined) kept.delete(eldest)
    return piece
  }
}

async function eventsAfter(reader: Reader, { cursor, until, types }: EventRange): Promise<Piece> {
  const ranges = [{ field: 'sequence', gt: cursor, lte: until }]
  const { data } = await reader.list('events', { ranges, limit: WINDOW })
  const next = data.length < until - cursor ? await oldestAfter(reader, cursor) : cursor + 1
  if (next > cursor + 1) return gap(cursor, next - 1)
  const frames: Buffer[] = []
  let size = 0
  for (const event of data.toSorted((a, b) => a.sequence - b.sequence)) {
    if (types !== null && !types.has(event.type)) continue
    const frame = Buffer.from(frameText('event', event, String(event.sequence)))
    frames.push(frame)
    size += frame.length
    if (size > MAX_PIECE_BYTES) return { bytes: Buffer.concat(frames), place: String(event.sequence) }
  }
  return { bytes: Buffer.concat(frames), place: String(until) }
}

function gap(after: number, continuesAfter: number): Piece {
  const place = String(continuesAfter)
  const text = frameText('reset', { after, continues_after: continuesAfter }, place)
  return { bytes: Buffer.from(text), place }
}

async function oldestAfter(reader: Reader, cursor: number): Promise<number> {
  const [oldest] = await reader.oldest('events', 1)
  return Math.max(cursor + 1, oldest?.sequence ?? (await reader.newestSequence()) + 1)
}

async function logsAfter(
  reader: Reader,
  place: string,
  isWanted: (log: RequestLog) => boolean,
): Promise<Piece | null> {
  if (place !== START && (await reader.get('request_logs', place)) === null)
    return { bytes: Buffer.from(frameText('reset', { after: place }, START)), place: START }
  // Not as they are listed: what another service keeps late may be older than what was read.
  const logs = await reader.oldest('request_logs', WINDOW, place)
  const last = logs.at(-1)
  if (last === undefined) return null
  const texts = logs.filter(isWanted).map((log) => frameText('request_log', log, log.id))
  return { bytes: Buffer.from(texts.join('')), place: last.id }
}

/** The place after all requests that are kept now. */
export async function newestLogPlace(reader: Reader): Promise<string> {
  return (await reader.list('request_logs', { limit: 1 })).data[0]?.id ?? START
}

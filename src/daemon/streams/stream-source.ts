import type { EventType } from '../../domain/core/event-types.ts'
import { evictOldest } from '../../domain/core/evict-oldest.ts'
import type { RequestLog } from '../../domain/requests/request-logs.ts'
import type { StoreReader } from '../../store/port/store.ts'
import { createYieldingQueue } from './fair-queue.ts'

/** Number of records per query. */
const READ_LIMIT = 100
/** Maximum size of a chunk in bytes; the event that exceeds the size is the last of its chunk. */
const MAX_CHUNK_BYTES = 32 * 1024
/** Number of cached chunks, for clients at the same position. */
const CACHED_CHUNKS = 16
/** The position before the first record. */
export const STREAM_START_POSITION = '0'

/** A part of a stream. */
export interface StreamChunk {
  /** Server-sent events; empty when the filter excludes all records up to the position. */
  readonly bytes: Buffer
  /** The position of the last record in the chunk, after which the stream continues. */
  readonly position: string
}

/** The stored records of a stream. */
export interface StreamSource {
  /** Reads the next chunk after a position; null when there are no further records yet. */
  readonly readAfter: (position: string) => Promise<StreamChunk | null>
  /** Returns the stream position after a reset, when the newest sequence number is `sequence`. */
  readonly positionAfterReset: (sequence: number) => string
}

/** Formats a server-sent event; `position` becomes the id of the event, with which a client resumes. */
export function formatServerSentEvent(name: string, data: object, position: string | null = null): string {
  const idLine = position === null ? '' : `id: ${position}\n`
  return `${idLine}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

/**
 * Creates the sources of all streams of a sandbox. The sources read one chunk at a time and call `yieldToEventLoop`
 * before each chunk. Event streams share a cache.
 */
export function createStreamSources(reader: StoreReader, yieldToEventLoop: () => Promise<void>) {
  const runInTurn = createYieldingQueue(yieldToEventLoop)
  const readEvents = createEventReader(reader)
  return {
    /** Returns the events of some types, or of all types for null; the position of an event is its sequence number. */
    events: (types: ReadonlySet<EventType> | null): StreamSource => ({
      positionAfterReset: String,
      async readAfter(position) {
        const cursor = Number(position)
        const newest = await reader.newestSequence()
        // The position is from another database, so the client has not read these events.
        if (newest < cursor) return createResetChunk(cursor, 0)
        if (newest === cursor) return null
        return runInTurn(() => readEvents({ cursor, until: Math.min(newest, cursor + READ_LIMIT), types }))
      },
    }),
    /** Returns the request logs that match a filter, in storage order; the position of a log is its id. */
    requestLogs: (isWanted: (log: RequestLog) => boolean): StreamSource => ({
      // A reset deletes the request logs.
      positionAfterReset: () => STREAM_START_POSITION,
      readAfter: (position) => runInTurn(() => readLogsAfter(reader, position, isWanted)),
    }),
  }
}

interface EventRange {
  readonly cursor: number
  readonly until: number
  readonly types: ReadonlySet<EventType> | null
}

/** Creates a function that reads a chunk of events, or returns a cached chunk. */
function createEventReader(reader: StoreReader): (range: EventRange) => Promise<StreamChunk> {
  const cache = new Map<string, StreamChunk>()
  return async (range) => {
    const cacheKey = `${range.cursor} ${range.until} ${range.types === null ? '*' : [...range.types].sort()}`
    const cached = cache.get(cacheKey)
    if (cached !== undefined) return cached
    const chunk = await readEventsAfter(reader, range)
    cache.set(cacheKey, chunk)
    evictOldest(cache, CACHED_CHUNKS)
    return chunk
  }
}

async function readEventsAfter(
  reader: StoreReader,
  { cursor, until, types }: EventRange,
): Promise<StreamChunk> {
  const ranges = [{ field: 'sequence', gt: cursor, lte: until }]
  const { data } = await reader.list('events', { ranges, limit: READ_LIMIT })
  const next = data.length < until - cursor ? await oldestSequenceAfter(reader, cursor) : cursor + 1
  if (next > cursor + 1) return createResetChunk(cursor, next - 1)
  const frames: Buffer[] = []
  let size = 0
  for (const event of data.toSorted((a, b) => a.sequence - b.sequence)) {
    if (types !== null && !types.has(event.type)) continue
    const frame = Buffer.from(formatServerSentEvent('event', event, String(event.sequence)))
    frames.push(frame)
    size += frame.length
    if (size > MAX_CHUNK_BYTES) return { bytes: Buffer.concat(frames), position: String(event.sequence) }
  }
  return { bytes: Buffer.concat(frames), position: String(until) }
}

function createResetChunk(after: number, continuesAfter: number): StreamChunk {
  const position = String(continuesAfter)
  const text = formatServerSentEvent('reset', { after, continues_after: continuesAfter }, position)
  return { bytes: Buffer.from(text), position }
}

async function oldestSequenceAfter(reader: StoreReader, cursor: number): Promise<number> {
  const [oldest] = await reader.listOldest('events', 1)
  return Math.max(cursor + 1, oldest?.sequence ?? (await reader.newestSequence()) + 1)
}

async function readLogsAfter(
  reader: StoreReader,
  position: string,
  isWanted: (log: RequestLog) => boolean,
): Promise<StreamChunk | null> {
  if (position !== STREAM_START_POSITION && (await reader.get('request_logs', position)) === null) {
    const bytes = Buffer.from(formatServerSentEvent('reset', { after: position }, STREAM_START_POSITION))
    return { bytes, position: STREAM_START_POSITION }
  }
  // Read in storage order, not in the order of `created`, because another server may store older logs later.
  const logs = await reader.listOldest('request_logs', READ_LIMIT, position)
  const last = logs.at(-1)
  if (last === undefined) return null
  const texts = logs.filter(isWanted).map((log) => formatServerSentEvent('request_log', log, log.id))
  return { bytes: Buffer.from(texts.join('')), position: last.id }
}

/** Resolves with the position of the newest stored request log. */
export async function loadNewestLogPosition(reader: StoreReader): Promise<string> {
  return (await reader.list('request_logs', { limit: 1 })).data[0]?.id ?? STREAM_START_POSITION
}

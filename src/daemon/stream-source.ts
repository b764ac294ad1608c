import type { EventType } from '../domain/event-types.ts'
import type { RequestLog } from '../domain/request-logs.ts'
import type { Reader } from '../store/store.ts'

/** How many records are read, and sent, at once. */
const WINDOW = 100
/** The place before everything. */
export const START = '0'

/** A piece of a stream with the place that it leads to. */
export interface Piece {
  readonly text: string
  readonly place: string
}

/** What a stream tells of, as far as it is kept. */
export interface StreamSource {
  /** What comes next after a place; null when there is nothing yet. */
  readonly after: (place: string) => Promise<Piece | null>
}

/** A server-sent event; `place` is where whoever has had it is to go on. */
export function frameText(name: string, data: object, place: string | null = null): string {
  const head = place === null ? '' : `id: ${place}\n`
  return `${head}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Events in the order of the sequence, which their place is; of all types for null. */
export function eventSource(reader: Reader, types: ReadonlySet<EventType> | null): StreamSource {
  return {
    async after(place) {
      const cursor = Number(place)
      const newest = await reader.newestSequence()
      // The place is one of another database: all of this one is new to the reader.
      if (newest < cursor) return gap(cursor, 0)
      if (newest === cursor) return null
      const until = Math.min(newest, cursor + WINDOW)
      const ranges = [{ field: 'sequence', gt: cursor, lte: until }]
      const { data } = await reader.list('events', { ranges, limit: WINDOW })
      const next = data.length < until - cursor ? await oldestAfter(reader, cursor) : cursor + 1
      if (next > cursor + 1) return gap(cursor, next - 1)
      const texts = data
        .toSorted((a, b) => a.sequence - b.sequence)
        .filter(({ type }) => types === null || types.has(type))
        .map((event) => frameText('event', event, String(event.sequence)))
      return { text: texts.join(''), place: String(until) }
    },
  }
}

function gap(after: number, continuesAfter: number): Piece {
  const place = String(continuesAfter)
  return { text: frameText('reset', { after, continues_after: continuesAfter }, place), place }
}

async function oldestAfter(reader: Reader, cursor: number): Promise<number> {
  const [oldest] = await reader.oldest('events', 1)
  return Math.max(cursor + 1, oldest?.sequence ?? (await reader.newestSequence()) + 1)
}

/** Requests as they were answered, each with its id for a place. */
export function requestLogSource(reader: Reader, isWanted: (log: RequestLog) => boolean): StreamSource {
  return {
    async after(place) {
      if (place !== START && (await reader.get('request_logs', place)) === null)
        return { text: frameText('reset', { after: place }, START), place: START }
      // Not as they are listed: what another service keeps late may be older than what was read.
      const logs = await reader.oldest('request_logs', WINDOW, place)
      const last = logs.at(-1)
      if (last === undefined) return null
      const texts = logs.filter(isWanted).map((log) => frameText('request_log', log, log.id))
      return { text: texts.join(''), place: last.id }
    },
  }
}

/** The place after all requests that are kept now. */
export async function newestLogPlace(reader: Reader): Promise<string> {
  return (await reader.list('request_logs', { limit: 1 })).data[0]?.id ?? START
}

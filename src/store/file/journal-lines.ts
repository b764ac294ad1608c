import { crc32 } from 'node:zlib'
import type { Stored } from '../../domain/changes.ts'
import type { Event } from '../../domain/events.ts'
import type { Write } from '../port/store.ts'

/** One step of a transaction: a record put, a record removed, or an event whose object is an earlier put of its line. */
type Operation =
  | readonly ['p', Stored]
  | readonly ['r', Stored]
  | readonly ['e', Omit<Event, 'data'> & { readonly data: Omit<Event['data'], 'object'> }, number]

/** A transaction as it was read back. */
export interface JournalLine {
  /** Number of the transaction; consecutive. */
  readonly transaction: number
  /** Number of the first transaction that was written in the same batch. */
  readonly batch: number
  readonly writes: readonly Write[]
}

const CHECKSUM_START = '{"c":"'
const CHECKSUM_DIGITS = 8
const CHECKED_FROM = CHECKSUM_START.length + CHECKSUM_DIGITS

/** The text of a transaction's operations; an event points to its object instead of repeating it. */
export function encodeOperations(writes: readonly Write[]): string {
  const places = new Map<Stored, number>()
  const operations = writes.map((write, index): Operation => {
    if ('remove' in write) return ['r', { object: write.remove.object, id: write.remove.id }]
    places.set(write.put, index)
    return encodePut(write.put, places)
  })
  return JSON.stringify(operations)
}

function encodePut(record: Stored, places: ReadonlyMap<Stored, number>): Operation {
  if (record.object !== 'event') return ['p', record]
  const event = record as Event
  const place = places.get(event.data.object)
  if (place === undefined) return ['p', record]
  const { previous_attributes } = event.data
  return ['e', { ...event, data: previous_attributes === undefined ? {} : { previous_attributes } }, place]
}

/** One line of the journal, newline included; the checksum is seeded with the generation of its file. */
export function encodeLine(
  operations: string,
  { transaction, batch, generation }: { transaction: number; batch: number; generation: number },
): string {
  const rest = `","s":${transaction},"b":${batch},"o":${operations}}`
  return `${CHECKSUM_START}${checksum(rest, generation)}${rest}\n`
}

/** The transaction in a line without its newline, or null when the line is not as it was written. */
export function decodeLine(line: Buffer, generation: number): JournalLine | null {
  const given = line.toString('latin1', CHECKSUM_START.length, CHECKED_FROM)
  const rest = line.subarray(CHECKED_FROM)
  if (line.toString('latin1', 0, CHECKSUM_START.length) !== CHECKSUM_START) return null
  if (checksum(rest, generation) !== given) return null
  const parsed = JSON.parse(line.toString('utf8')) as { s: number; b: number; o: Operation[] }
  return { transaction: parsed.s, batch: parsed.b, writes: decodeOperations(parsed.o) }
}

function decodeOperations(operations: readonly Operation[]): Write[] {
  return operations.map((operation): Write => {
    if (operation[0] === 'r') return { remove: operation[1] }
    if (operation[0] === 'p') return { put: operation[1] }
    const target = operations[operation[2]]
    const event = operation[1]
    return { put: { ...event, data: { object: target?.[1], ...event.data } } as Stored }
  })
}

function checksum(text: string | Buffer, generation: number): string {
  return crc32(text, generation).toString(16).padStart(CHECKSUM_DIGITS, '0')
}

import { crc32 } from 'node:zlib'
import type { StoredObject } from '../../domain/core/changes.ts'
import type { Event } from '../../domain/events/events.ts'
import type { Write } from '../port/store.ts'

/** A stored record, a removed record, or an event with the index of the earlier operation that stored its object. */
type JournalOperation =
  | readonly ['p', StoredObject]
  | readonly ['r', StoredObject]
  | readonly ['e', Omit<Event, 'data'> & { readonly data: Omit<Event['data'], 'object'> }, number]

/** A transaction that was read from a journal. */
export interface JournalEntry {
  /** Transaction number; numbers are consecutive. */
  readonly transaction: number
  /** Number of the first transaction in the same batch. */
  readonly batch: number
  readonly writes: readonly Write[]
}

const CHECKSUM_START = '{"c":"'
const CHECKSUM_DIGITS = 8
const CHECKED_FROM = CHECKSUM_START.length + CHECKSUM_DIGITS

/** Encodes the operations of a transaction; an event contains a reference to its object instead of a copy. */
export function encodeWrites(writes: readonly Write[]): string {
  const positions = new Map<StoredObject, number>()
  const operations = writes.map((write, index): JournalOperation => {
    if ('remove' in write) return ['r', { object: write.remove.object, id: write.remove.id }]
    positions.set(write.put, index)
    return encodePut(write.put, positions)
  })
  return JSON.stringify(operations)
}

function encodePut(record: StoredObject, positions: ReadonlyMap<StoredObject, number>): JournalOperation {
  if (record.object !== 'event') return ['p', record]
  const event = record as Event
  const position = positions.get(event.data.object)
  if (position === undefined) return ['p', record]
  const { previous_attributes } = event.data
  return ['e', { ...event, data: previous_attributes === undefined ? {} : { previous_attributes } }, position]
}

/** Encodes a journal line with its newline; the checksum is seeded with the generation of the file. */
export function encodeLine(
  operations: string,
  { transaction, batch, generation }: { transaction: number; batch: number; generation: number },
): string {
  const rest = `","s":${transaction},"b":${batch},"o":${operations}}`
  return `${CHECKSUM_START}${checksum(rest, generation)}${rest}\n`
}

/** Decodes a line without its newline; returns null when the line is corrupt. */
export function decodeLine(line: Buffer, generation: number): JournalEntry | null {
  const expected = line.toString('latin1', CHECKSUM_START.length, CHECKED_FROM)
  const rest = line.subarray(CHECKED_FROM)
  if (line.toString('latin1', 0, CHECKSUM_START.length) !== CHECKSUM_START) return null
  if (checksum(rest, generation) !== expected) return null
  const parsed = JSON.parse(line.toString('utf8')) as { s: number; b: number; o: JournalOperation[] }
  return { transaction: parsed.s, batch: parsed.b, writes: decodeOperations(parsed.o) }
}

function decodeOperations(operations: readonly JournalOperation[]): Write[] {
  return operations.map((operation): Write => {
    if (operation[0] === 'r') return { remove: operation[1] }
    if (operation[0] === 'p') return { put: operation[1] }
    const target = operations[operation[2]]
    const event = operation[1]
    return { put: { ...event, data: { object: target?.[1], ...event.data } } as StoredObject }
  })
}

function checksum(text: string | Buffer, generation: number): string {
  return crc32(text, generation).toString(16).padStart(CHECKSUM_DIGITS, '0')
}

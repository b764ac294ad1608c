import type { StoredObject } from '../../domain/core/changes.ts'
import { RawRecord } from './raw-record.ts'

/**
 * A stored record with the numbers that determine its order. Transaction numbers are 0 for loaded records. A missing
 * number is null, because one NaN in a field makes V8 store the field of every record on the heap.
 */
export interface IndexedRecord {
  record: StoredObject | RawRecord
  created: number | null
  /** The number that sorts the lists of the collection; null for records that are never listed. */
  sortKey: number | null
  /** The position in insertion order; grows with each inserted record. */
  readonly order: number
  /** Number of the transaction that inserted the record. */
  readonly insertedBy: number
  /** Number of the transaction that last changed the record. */
  changedBy: number
  /** Approximate length of the JSON text of the record in bytes. */
  bytes: number
}

/** Compares records by insertion order. */
export const compareByInsertion = (a: IndexedRecord, b: IndexedRecord) => a.order - b.order

/**
 * Compares in the order of lists: by sort key, then by insertion. A cursor whose record has just become unlisted has no
 * sort key, so its insertion determines its position.
 */
export const compareBySortKey = (a: IndexedRecord, b: IndexedRecord) =>
  (a.sortKey ?? Number.NaN) - (b.sortKey ?? Number.NaN) || a.order - b.order

/** Returns whether the stored record has this id; does not parse a raw record. */
export function hasRecordId({ record }: IndexedRecord, id: string): boolean {
  return record instanceof RawRecord ? record.hasId(id) : record.id === id
}

/** Returns the stored record; parses a raw record and stores the result. */
export function getRecord(entry: IndexedRecord): StoredObject {
  if (entry.record instanceof RawRecord) entry.record = entry.record.parse()
  return entry.record
}

/** Returns at least the fields of a record that filters use; an event that was never read stays unparsed. */
export function getFilterableRecord(entry: IndexedRecord): StoredObject {
  const keys = entry.record instanceof RawRecord ? entry.record.parseKeys() : null
  // Index keys that are substrings of the file's text would keep all of that text in memory, so copy them.
  return keys?.object === 'event' ? JSON.parse(JSON.stringify(keys)) : getRecord(entry)
}

/** Returns a number field of an indexed record, or NaN without a value. */
export function getIndexedNumber(entry: IndexedRecord, field: string): number {
  return field === 'created' ? (entry.created ?? Number.NaN) : getNumberField(getRecord(entry), field)
}

/** Returns a number field of a record, or NaN without a value. */
export function getNumberField(record: StoredObject, field: string): number {
  return findNumberField(record, field) ?? Number.NaN
}

/** Returns a number field of a record, or null without a value. */
export function findNumberField(record: StoredObject, field: string): number | null {
  const value = (record as StoredObject & Readonly<Record<string, unknown>>)[field]
  return typeof value === 'number' ? value : null
}

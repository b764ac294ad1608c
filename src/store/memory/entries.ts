import type { StoredObject } from '../../domain/changes.ts'
import { RawRecord } from './raw-record.ts'

/** A record with its sort keys; `created` is NaN for records that are never listed. */
export interface Entry {
  record: StoredObject | RawRecord
  created: number
  /** Grows with each inserted record. */
  readonly order: number
  /** Number of the transaction that inserted the record; 0 for a loaded record. */
  readonly insertStamp: number
  /** Number of the transaction that last changed the record; 0 for a loaded record. */
  stamp: number
}

/** The fields of an entry that change with its record. */
export type EntryState = Omit<Entry, 'order' | 'insertStamp'>

/** Field name that stands for the `order` of an entry; no record has a field of this name. */
export const INSERTION_ORDER = '(order)'

/** Search key for sorted lists. It sorts before every entry with the same sort value. */
export const PROBE_ENTRY: Entry = {
  record: { id: '', object: '' },
  created: Number.NaN,
  order: 0,
  insertStamp: 0,
  stamp: 0,
}

/** Compares entries by `created`, then by insertion. */
export const compareByCreated = (a: Entry, b: Entry) => a.created - b.created || a.order - b.order

/** Compares entries by insertion. */
export const compareByInsertion = (a: Entry, b: Entry) => a.order - b.order

/** Returns the record of an entry; parses a raw record and keeps the result. */
export function getRecord(entry: Entry): StoredObject {
  if (entry.record instanceof RawRecord) entry.record = entry.record.parse()
  return entry.record
}

/** Returns a number field of an entry's record, NaN when it has none, or the entry's order for `INSERTION_ORDER`. */
export function getEntryNumber(entry: Entry, field: string): number {
  if (field === 'created') return entry.created
  return field === INSERTION_ORDER ? entry.order : getNumber(getRecord(entry), field)
}

/** Returns a number field of a record, or NaN when it has none. */
export function getNumber(record: StoredObject, field: string): number {
  const value = (record as StoredObject & Readonly<Record<string, unknown>>)[field]
  return typeof value === 'number' ? value : Number.NaN
}

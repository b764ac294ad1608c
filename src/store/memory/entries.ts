import type { Stored } from '../../domain/changes.ts'
import { RawRecord } from './raw-record.ts'

/** A record with its place in the lists; `created` is NaN for records that are never listed. */
export interface Entry {
  record: Stored | RawRecord
  created: number
  readonly order: number
  /** Number of the transaction that put it here; 0 when it was loaded. */
  readonly born: number
  /** Number of the transaction that changed it last; 0 when it was loaded. */
  stamp: number
}

/** What of an entry changes with its record. */
export type EntryState = Omit<Entry, 'order' | 'born'>

/** Names, where fields are named, the place of an entry among all that came. No record has such a field. */
export const ORDER = '(order)'

/** What a probe for a sorted list is made of: it is before every entry with the same number. */
export const BEFORE_ALL: Entry = {
  record: { id: '', object: '' },
  created: Number.NaN,
  order: 0,
  born: 0,
  stamp: 0,
}

/** The order of lists: by `created`, then in which they came. */
export const byAge = (a: Entry, b: Entry) => a.created - b.created || a.order - b.order

/** The order in which records came. */
export const byOrder = (a: Entry, b: Entry) => a.order - b.order

/** The record of an entry; one that is still as it lay in a file is parsed for good. */
export function recordOf(entry: Entry): Stored {
  if (entry.record instanceof RawRecord) entry.record = entry.record.parse()
  return entry.record
}

/** A number in the record of an entry, NaN when there is none, or its order. */
export function numberIn(entry: Entry, field: string): number {
  if (field === 'created') return entry.created
  return field === ORDER ? entry.order : numberOf(recordOf(entry), field)
}

/** A number in a record, NaN when there is none. */
export function numberOf(record: Stored, field: string): number {
  const value = (record as Stored & Readonly<Record<string, unknown>>)[field]
  return typeof value === 'number' ? value : Number.NaN
}

import { hash } from 'node:crypto'
import { COLLECTION_NAMES, COLLECTIONS, type Collection } from '../port/collections.ts'

/** How many filters of a collection have an index. */
export const KEY_COLUMNS = 5
/** How many numbers of a collection have an index. */
export const NUMBER_COLUMNS = 1

/** Lists of events between bounds of `created` are read in blocks of so many numbers of the sequence; part of an index. */
export const EVENTS_PER_BLOCK = 4096

/** Grows when the columns of a record are computed in another way than before, so that they are computed anew. */
const REVISION = 1

/**
 * The layouts of all versions, the oldest first. Append what `layout()` gives when a rule for a column changes: that
 * version then copies the records, and older ones refuse the database.
 */
export const LAYOUTS: readonly string[] = ['4f2f79d857fc8449dab315741fcd854c1aba3a68e8624a76d3c84333698e4089']

const keyColumns = Array.from({ length: KEY_COLUMNS }, (_, at) => `key${at + 1}`)

/** An index of a table of records. */
export interface RecordsIndex {
  /** The index is named after its table, followed by this suffix. */
  readonly suffix: string
  /** Its columns and its condition in SQL. */
  readonly definition: string
}

/** The indexes that list events, by their sequence, which is their number1. */
export const EVENT_INDEXES: readonly RecordsIndex[] = [
  ...[1, 2, 3].map((at) => ({
    suffix: `events_key${at}`,
    definition: `(key${at}, number1) WHERE collection = 'events' AND key${at} IS NOT NULL AND number1 IS NOT NULL`,
  })),
  {
    suffix: 'events_block',
    definition: `(floor(number1 / ${EVENTS_PER_BLOCK}), created) WHERE collection = 'events' AND number1 IS NOT NULL`,
  },
]

/** The suffixes of all indexes of a table of records. */
export const RECORDS_INDEXES: readonly string[] = [
  'pkey',
  'listed',
  'place',
  ...keyColumns,
  'number1',
  'due',
  ...EVENT_INDEXES.map(({ suffix }) => suffix),
]

/** Returns the statements that create indexes of a table of records. */
export function createIndexes(table: string, indexes: readonly RecordsIndex[]): string {
  return indexes
    .map(({ suffix, definition }) => `CREATE INDEX ${table}_${suffix} ON ${table} ${definition};`)
    .join('\n')
}

/** The statements that make a table of records with the indexes of the first migration. */
export function recordsTable(name: string): string {
  const indexes = keyColumns.map(
    (key) =>
      `CREATE INDEX ${name}_${key} ON ${name} (collection, ${key}, created, place) WHERE ${key} IS NOT NULL AND created IS NOT NULL;`,
  )
  return `
CREATE TABLE ${name} (
  collection text NOT NULL,
  id text NOT NULL,
  place bigint NOT NULL,
  created double precision,
  record json NOT NULL,
  ${keyColumns.map((key) => `${key} text,`).join(' ')}
  number1 double precision,
  due_queue text,
  due_at double precision,
  due_rank smallint,
  PRIMARY KEY (collection, id)
);
CREATE INDEX ${name}_listed ON ${name} (collection, created, place) WHERE created IS NOT NULL;
CREATE INDEX ${name}_place ON ${name} (collection, place);
${indexes.join('\n')}
CREATE INDEX ${name}_number1 ON ${name} (collection, number1) WHERE number1 IS NOT NULL;
CREATE INDEX ${name}_due ON ${name} (due_queue, due_at, due_rank, place) WHERE due_queue IS NOT NULL;`
}

/** What the columns of the records of a collection hold: its filters, and the number that lists are bounded by. */
export interface Columns {
  readonly filters: readonly string[]
  readonly numbers: readonly string[]
}

/** The columns of a collection, in their order. */
export function columnsOf(collection: Collection): Columns {
  const { filters, ranges = [], growing } = COLLECTIONS[collection]
  return {
    filters: Object.keys(filters),
    numbers: growing === undefined ? ranges : [...ranges, growing],
  }
}

/** Names how records are laid out in their columns: who writes in another way must not write beside. */
export function layout(): string {
  const columns = COLLECTION_NAMES.map((name) => [name, columnsOf(name)])
  return hash('sha256', JSON.stringify([REVISION, columns]), 'hex')
}

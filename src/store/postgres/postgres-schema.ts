import { hash } from 'node:crypto'
import { COLLECTION_NAMES, COLLECTIONS, type Collection } from '../port/collections.ts'

/** The columns for the indexed filters of a collection. */
export const KEY_COLUMNS = ['key1', 'key2', 'key3', 'key4', 'key5']
/** The columns for the indexed number fields of a collection. */
export const NUMBER_COLUMNS = ['number1']

/** Block size in sequence numbers for lists of events with bounds of `created`; part of an index definition. */
export const EVENTS_PER_BLOCK = 4096

/** Increment it when a rule for a column changes, so that all records are copied with new columns. */
const REVISION = 2

/**
 * The layouts of all versions, oldest first. When a rule for a column changes, append the result of `computeLayout()`: the
 * new version then copies the records, and older versions reject the database.
 */
export const LAYOUTS: readonly string[] = [
  '4f2f79d857fc8449dab315741fcd854c1aba3a68e8624a76d3c84333698e4089',
  'dbdd284b0fb78274e41426e97dba0d427fcd1d230d9fb09464062a8a4e46ce3c',
  'fa1771c7d5116a1547fd8c6201b6ce8b206cf6f342b457bf6351ae42f17bb052',
]

/** Longer values would exceed the size limit of an index entry. */
const MAX_KEY_CHARACTERS = 256

/** An index of a table of records. */
export interface RecordsIndex {
  /** The name of the index is the table name, `_` and this suffix. */
  readonly suffix: string
  /** Columns and condition in SQL. */
  readonly definition: string
}

/** The indexes for lists of events; `number1` is the sequence number. */
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
  ...KEY_COLUMNS,
  'number1',
  'due',
  ...EVENT_INDEXES.map(({ suffix }) => suffix),
]

/** Returns the statements that create indexes on a table of records. */
export function createIndexes(table: string, indexes: readonly RecordsIndex[]): string {
  return indexes
    .map(({ suffix, definition }) => `CREATE INDEX ${table}_${suffix} ON ${table} ${definition};`)
    .join('\n')
}

/** Returns the statements that create a table of records with the indexes of the first migration. */
export function createRecordsTable(name: string): string {
  const indexes = KEY_COLUMNS.map(
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
  ${KEY_COLUMNS.map((key) => `${key} text,`).join(' ')}
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

/** The fields in the key and number columns of a collection. */
export interface CollectionColumns {
  readonly filters: readonly string[]
  readonly numbers: readonly string[]
}

/** Returns the fields in the columns of a collection, in column order. */
export function getColumns(collection: Collection): CollectionColumns {
  const { filters, ranges = [], growing } = COLLECTIONS[collection]
  return {
    filters: Object.keys(filters),
    numbers: growing === undefined ? ranges : [...ranges, growing],
  }
}

/** Returns the hash of the column rules; processes with different layouts must not write to the same tables. */
export function computeLayout(): string {
  const columns = COLLECTION_NAMES.map((name) => [name, getColumns(name)])
  return hash('sha256', JSON.stringify([REVISION, columns]), 'hex')
}

/** Converts a string to an index key: escapes characters that PostgreSQL does not store, and hashes long strings. */
export function toIndexKey(text: string): string {
  const key = JSON.stringify(text).slice(1, -1)
  // The unescaped quotation mark distinguishes a hash from all other keys.
  return key.length <= MAX_KEY_CHARACTERS ? key : `"${hash('sha256', key, 'hex')}`
}

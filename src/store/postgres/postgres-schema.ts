import { hash } from 'node:crypto'
import { DEFAULT_SANDBOX } from '../../domain/sandboxes/sandboxes.ts'
import { COLLECTION_NAMES, COLLECTION_RULES, type CollectionName } from '../port/collections.ts'
import { RECORD_FORMAT_VERSION } from '../port/format.ts'

/** The columns for the indexed filters of a collection. */
export const KEY_INDEX_COLUMNS = ['key1', 'key2', 'key3', 'key4', 'key5']
/** The columns for the indexed number fields of a collection. */
export const NUMBER_INDEX_COLUMNS = ['number1']

/** Block size for lists with bounds of `created`, in places, or in sequence numbers of events; part of index definitions. */
export const RECORDS_PER_BLOCK = 4096

/**
 * Returns the SQL expression for the block that contains a number of a column. Indexes contain the expression for the
 * column itself. The division of integers, such as `place` values, discards the remainder.
 */
export function createBlockExpression(column: string, number = column): string {
  return column === 'place' ? `(${number} / ${RECORDS_PER_BLOCK})` : `floor(${number} / ${RECORDS_PER_BLOCK})`
}

/** Maximum length of an index key; longer keys would exceed the size limit of an index entry. */
const MAX_KEY_CHARACTERS = 256

/**
 * The indexes except the primary key, with the suffix of their names, and their columns and condition in SQL. Each
 * index starts with the sandbox; `number1` of an event is its sequence number.
 */
const INDEXES = [
  // Includes `created`, so that a list skips deleted records without reading them.
  { suffix: 'place', definition: '(sandbox, kind, place, created)' },
  {
    suffix: 'block',
    definition: `(sandbox, kind, ${createBlockExpression('place')}, created) WHERE created IS NOT NULL AND kind <> 'events'`,
  },
  ...KEY_INDEX_COLUMNS.map((key) => ({
    suffix: key,
    definition: `(sandbox, kind, ${key}, place) WHERE ${key} IS NOT NULL AND created IS NOT NULL`,
  })),
  { suffix: 'number1', definition: '(sandbox, kind, number1) WHERE number1 IS NOT NULL' },
  { suffix: 'due', definition: '(sandbox, due_queue, due_at, due_rank, place) WHERE due_queue IS NOT NULL' },
  ...[1, 2, 3].map((at) => ({
    suffix: `events_key${at}`,
    definition: `(sandbox, key${at}, number1) WHERE kind = 'events' AND key${at} IS NOT NULL AND number1 IS NOT NULL`,
  })),
  {
    suffix: 'events_block',
    definition: `(sandbox, ${createBlockExpression('number1')}, created) WHERE kind = 'events' AND number1 IS NOT NULL`,
  },
]

/** The suffixes of all indexes of a table of records. */
export const RECORDS_INDEX_SUFFIXES: readonly string[] = ['pkey', ...INDEXES.map(({ suffix }) => suffix)]

/** The statements that create the indexes of the table, except the primary key. */
export const CREATE_INDEXES = INDEXES.map(
  ({ suffix, definition }) => `CREATE INDEX records_${suffix} ON records ${definition};`,
).join('\n')

/** The statement that drops the indexes of `CREATE_INDEXES`. */
export const DROP_INDEXES = `DROP INDEX ${INDEXES.map(({ suffix }) => `records_${suffix}`).join(', ')}`

/** The statements that create the table of records with its indexes. `kind` is the collection. */
const RECORDS_TABLE = `
CREATE TABLE records (
  sandbox text NOT NULL,
  kind text NOT NULL,
  id text NOT NULL,
  place bigint NOT NULL,
  created double precision,
  record json NOT NULL,
  ${KEY_INDEX_COLUMNS.map((key) => `${key} text,`).join(' ')}
  number1 double precision,
  due_queue text,
  due_at double precision,
  due_rank smallint,
  PRIMARY KEY (sandbox, kind, id)
);
${CREATE_INDEXES}`

/** The tables that coordinate the processes, by sandbox. */
const COORDINATION_TABLES = `
CREATE TABLE sandbox_leases (
  sandbox text NOT NULL,
  name text NOT NULL,
  holder text NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (sandbox, name)
);
CREATE TABLE sandbox_presences (
  sandbox text NOT NULL,
  name text NOT NULL,
  holder text NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (sandbox, name, holder)
);`

/**
 * The tables of a new database. Records are stored as text that keeps the order of fields. `head` has a row for each sandbox
 * with its last assigned numbers, which every writing transaction of the sandbox locks.
 */
const CREATE_TABLES = `
CREATE TABLE head (
  sequence bigint NOT NULL,
  place bigint NOT NULL,
  told double precision NOT NULL DEFAULT 0,
  sandbox text PRIMARY KEY,
  is_deleted boolean NOT NULL DEFAULT false
);
INSERT INTO head (sequence, place, sandbox) VALUES (0, 0, '${DEFAULT_SANDBOX}');
${RECORDS_TABLE}
${COORDINATION_TABLES}`

/** Returns the fields in the key and number columns of a collection, in column order. */
export function getIndexedFields(collection: CollectionName) {
  const { filters, ranges = [], growing } = COLLECTION_RULES[collection]
  return {
    filters: Object.keys(filters),
    numbers: growing === undefined ? ranges : [...ranges, growing],
  }
}

/** The format of the database: the version of the records, and a digest of the tables and of the fields in their columns. */
export const DATABASE_FORMAT: string = `${RECORD_FORMAT_VERSION} ${digestTables()}`

/** The statements that create the tables of a new database. */
export const CREATE_DATABASE_TABLES = `${CREATE_TABLES}
CREATE TABLE format (name text NOT NULL);
INSERT INTO format VALUES ('${DATABASE_FORMAT}')`

function digestTables(): string {
  const columns = COLLECTION_NAMES.map((name) => [name, getIndexedFields(name)])
  return hash('sha256', JSON.stringify([CREATE_TABLES, columns]), 'hex')
}

/** Converts a string to an index key: escapes characters that PostgreSQL does not store, and hashes long strings. */
export function toIndexKey(text: string): string {
  const key = JSON.stringify(text).slice(1, -1)
  // The unescaped quotation mark distinguishes a hash from all other keys.
  return key.length <= MAX_KEY_CHARACTERS ? key : `"${hash('sha256', key, 'hex')}`
}

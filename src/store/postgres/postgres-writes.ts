import type { StoredObject } from '../../domain/changes.ts'
import { deadlineOf } from '../../domain/deadlines.ts'
import { getNumber } from '../memory/indexed-record.ts'
import { COLLECTIONS, type Collection, collectionOf } from '../port/collections.ts'
import type { Write } from '../port/store.ts'
import { getColumns, KEY_COLUMNS, NUMBER_COLUMNS, toIndexKey } from './postgres-schema.ts'

/** The columns of a record with their types, in the order of `toRow`. */
const COLUMN_TYPES: Readonly<Record<string, string>> = {
  collection: 'text',
  id: 'text',
  place: 'bigint',
  created: 'float8',
  record: 'json',
  ...Object.fromEntries(KEY_COLUMNS.map((name) => [name, 'text'])),
  ...Object.fromEntries(NUMBER_COLUMNS.map((name) => [name, 'float8'])),
  due_queue: 'text',
  due_at: 'float8',
  due_rank: 'smallint',
}
const COLUMNS = Object.keys(COLUMN_TYPES)
/** The columns that an update keeps. */
const KEPT_COLUMNS = ['collection', 'id', 'place']

/** A statement with its parameters. */
export interface SqlStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

/**
 * Returns the statements that apply writes in order; new records get their places from `nextPlace`. Throws for a record of
 * an unknown type.
 */
export function createWriteStatements(
  writes: readonly Write[],
  nextPlace: () => number,
): readonly SqlStatement[] {
  const { removed, put } = toNetWrites(writes)
  const statements = removed.length === 0 ? [] : [createDeleteStatement(removed)]
  const rows = put.map((record) => toRow(record, nextPlace()))
  return rows.length === 0 ? statements : [...statements, createPutStatement('records', rows)]
}

/** Returns the row of a record with its computed columns. */
export function toRow(record: StoredObject, place: number): readonly unknown[] {
  const collection = collectionOf(record)
  const created = getNumber(record, 'created')
  const deadline = deadlineOf(record)
  return [
    collection,
    toIndexKey(record.id),
    place,
    Number.isNaN(created) ? null : created,
    JSON.stringify(record),
    ...toKeyColumns(collection, record),
    ...toNumberColumns(collection, record),
    deadline?.queue ?? null,
    deadline?.at ?? null,
    deadline?.rank ?? null,
  ]
}

function toKeyColumns(collection: Collection, record: StoredObject): (string | null)[] {
  const readers = Object.values(COLLECTIONS[collection].filters)
  return KEY_COLUMNS.map((_, at) => {
    const value = readers[at]?.(record as never) ?? null
    return value === null ? null : toIndexKey(value)
  })
}

function toNumberColumns(collection: Collection, record: StoredObject): (number | null)[] {
  const { numbers } = getColumns(collection)
  return NUMBER_COLUMNS.map((_, at) => {
    const value = getNumber(record, numbers[at] ?? '')
    return Number.isNaN(value) ? null : value
  })
}

/** Returns the combined effect of writes: removed records, and the last state of stored ones in insertion order. */
function toNetWrites(writes: readonly Write[]) {
  const removed = new Map<string, StoredObject>()
  const put = new Map<string, StoredObject>()
  for (const write of writes) {
    const record = 'put' in write ? write.put : write.remove
    const key = `${collectionOf(record)} ${record.id}`
    if ('put' in write) put.set(key, record)
    else {
      // A record that is removed and stored again moves to the end.
      put.delete(key)
      removed.set(key, record)
    }
  }
  return { removed: [...removed.values()], put: [...put.values()] }
}

function createDeleteStatement(removed: readonly StoredObject[]): SqlStatement {
  return {
    text: `DELETE FROM records USING unnest($1::text[], $2::text[]) AS removed (in_collection, with_id)
           WHERE collection = in_collection AND id = with_id`,
    values: [removed.map(collectionOf), removed.map(({ id }) => toIndexKey(id))],
  }
}

/** Returns the statement that inserts rows into a table, or updates those whose ids exist. */
export function createPutStatement(table: string, rows: readonly (readonly unknown[])[]): SqlStatement {
  // One array for each column, so that the statement is the same for every number of rows.
  const arrays = COLUMNS.map((name, at) => `$${at + 1}::${COLUMN_TYPES[name]}[]`)
  const updates = COLUMNS.filter((name) => !KEPT_COLUMNS.includes(name)).map(
    (name) => `${name} = EXCLUDED.${name}`,
  )
  return {
    text: `INSERT INTO ${table} (${COLUMNS.join(', ')}) SELECT * FROM unnest(${arrays.join(', ')})
           ON CONFLICT (collection, id) DO UPDATE SET ${updates.join(', ')}`,
    values: COLUMNS.map((_, at) => rows.map((row) => row[at])),
  }
}

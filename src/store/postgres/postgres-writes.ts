import type { StoredObject } from '../../domain/changes.ts'
import { deadlineOf } from '../../domain/deadlines.ts'
import { getNumber } from '../memory/indexed-record.ts'
import { COLLECTIONS, type Collection, collectionOf } from '../port/collections.ts'
import type { Write } from '../port/store.ts'
import { getColumns, KEY_COLUMNS, NUMBER_COLUMNS, toIndexKey } from './postgres-schema.ts'

const KEYS = Array.from({ length: KEY_COLUMNS }, (_, at) => `key${at + 1}`)
const NUMBERS = Array.from({ length: NUMBER_COLUMNS }, (_, at) => `number${at + 1}`)
const DERIVED = ['created', 'record', ...KEYS, ...NUMBERS, 'due_queue', 'due_at', 'due_rank']
const COLUMNS = ['collection', 'id', 'place', ...DERIVED]
const CASTS: Readonly<Record<string, string>> = {
  place: '::bigint',
  created: '::float8',
  record: '::json',
  number1: '::float8',
  due_at: '::float8',
  due_rank: '::smallint',
}
/** Limits the number of parameters of a prepared statement. */
const ROWS_PER_STATEMENT = 16

/** A statement with its parameters. */
export interface SqlStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** The combined effect of writes: removed records, and the last state of stored ones in insertion order. */
interface NetWrites {
  readonly removed: readonly StoredObject[]
  readonly put: readonly StoredObject[]
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
  const rows = put.map((record) => toRow(record, nextPlace()))
  const statements = removed.length === 0 ? [] : [createDeleteStatement(removed)]
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
    statements.push(createPutStatement('records', rows.slice(at, at + ROWS_PER_STATEMENT)))
  }
  return statements
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
  const values = Object.values(COLLECTIONS[collection].filters).map((read) => read(record as never))
  return KEYS.map((_, at) => {
    const value = values[at] ?? null
    return value === null ? null : toIndexKey(value)
  })
}

function toNumberColumns(collection: Collection, record: StoredObject): (number | null)[] {
  const values = getColumns(collection).numbers.map((field) => getNumber(record, field))
  return NUMBERS.map((_, at) => {
    const value = values[at] ?? Number.NaN
    return Number.isNaN(value) ? null : value
  })
}

function toNetWrites(writes: readonly Write[]): NetWrites {
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
  const tuples = rows.map((row, at) => {
    const params = row.map((_, column) => {
      const name = COLUMNS[column] ?? ''
      return `$${at * row.length + column + 1}${CASTS[name] ?? ''}`
    })
    return `(${params.join(', ')})`
  })
  return {
    text: `INSERT INTO ${table} (${COLUMNS.join(', ')}) VALUES ${tuples.join(', ')}
           ON CONFLICT (collection, id) DO UPDATE SET ${DERIVED.map((name) => `${name} = EXCLUDED.${name}`).join(', ')}`,
    values: rows.flat(),
  }
}

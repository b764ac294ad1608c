import type { StoredObject } from '../../domain/changes.ts'
import { deadlineOf } from '../../domain/deadlines.ts'
import { getNumber } from '../memory/indexed-record.ts'
import { COLLECTIONS, type Collection, collectionOf } from '../port/collections.ts'
import type { Write } from '../port/store.ts'
import { getColumns, KEY_COLUMNS, NUMBER_COLUMNS, toIndexKey } from './postgres-schema.ts'

const DERIVED = [
  'created',
  'record',
  ...KEY_COLUMNS,
  ...NUMBER_COLUMNS,
  ...['due_queue', 'due_at', 'due_rank'],
]
/** In the order of `toRow`. */
const COLUMNS = ['kind', 'id', 'place', ...DERIVED]
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

/** A statement with its parameters. $1 is the sandbox, and `values` follow it. */
export interface SqlStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

/**
 * Returns the statements that apply writes to a table in order; new records get their places from `nextPlace`. Throws for a
 * record of an unknown type.
 */
export function createWriteStatements(
  writes: readonly Write[],
  nextPlace: () => number,
  table = 'records',
): readonly SqlStatement[] {
  const { removed, put } = toNetWrites(writes)
  const rows = put.map((record) => toRow(record, nextPlace()))
  const statements = removed.length === 0 ? [] : [createDeleteStatement(removed)]
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT)
    statements.push(createPutStatement(table, rows.slice(at, at + ROWS_PER_STATEMENT)))
  return statements
}

/** Returns the values of a record's columns. */
function toRow(record: StoredObject, place: number): readonly unknown[] {
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

// OFFSET 0 as in `createBatchedGet`. The rows do not move meanwhile, because every commit to a sandbox locks its head.
function createDeleteStatement(removed: readonly StoredObject[]): SqlStatement {
  return {
    text: `DELETE FROM records WHERE sandbox = $1 AND ctid = ANY(ARRAY(
             SELECT place_of FROM unnest($2::text[], $3::text[]) AS removed (in_kind, with_id) CROSS JOIN LATERAL
               (SELECT ctid AS place_of FROM records WHERE sandbox = $1 AND kind = in_kind AND id = with_id OFFSET 0) AS found))`,
    values: [removed.map(collectionOf), removed.map(({ id }) => toIndexKey(id))],
  }
}

/** Returns the statement that inserts rows into a table, or updates those whose ids exist. */
function createPutStatement(table: string, rows: readonly (readonly unknown[])[]): SqlStatement {
  const tuples = rows.map((row, at) => {
    const params = COLUMNS.map((name, column) => `$${at * row.length + column + 2}${CASTS[name] ?? ''}`)
    return `($1, ${params.join(', ')})`
  })
  return {
    text: `INSERT INTO ${table} (sandbox, ${COLUMNS.join(', ')}) VALUES ${tuples.join(', ')}
           ON CONFLICT (sandbox, kind, id) DO UPDATE SET ${DERIVED.map((name) => `${name} = EXCLUDED.${name}`).join(', ')}`,
    values: rows.flat(),
  }
}

import type { StoredObject } from '../../domain/core/changes.ts'
import { findDeadline } from '../../domain/schedule/deadlines.ts'
import { findNumberField } from '../memory/indexed-record.ts'
import { COLLECTION_RULES, type CollectionName, getCollectionName } from '../port/collections.ts'
import type { SequenceHead } from '../port/event-sequence.ts'
import type { NetWrites } from './pending-writes.ts'
import { getIndexedFields, KEY_INDEX_COLUMNS, NUMBER_INDEX_COLUMNS, toIndexKey } from './postgres-schema.ts'
import { DATABASE_NOW_MS_SQL } from './store-process.ts'

/** The columns of a row in the order of `toRow`, with their types. */
const COLUMNS: readonly (readonly [name: string, type: string])[] = [
  ['kind', 'text'],
  ['id', 'text'],
  ['place', 'bigint'],
  ['created', 'float8'],
  ['record', 'json'],
  ...KEY_INDEX_COLUMNS.map((name) => [name, 'text'] as const),
  ...NUMBER_INDEX_COLUMNS.map((name) => [name, 'float8'] as const),
  ['due_queue', 'text'],
  ['due_at', 'float8'],
  ['due_rank', 'smallint'],
]
const NAMES = COLUMNS.map(([name]) => name)
/** A record that is stored again keeps its `place`, the position in insertion order. */
const UPDATES = NAMES.slice(NAMES.indexOf('place') + 1).map((name) => `${name} = EXCLUDED.${name}`)

/** A statement with its parameters: the sandbox as $1, followed by `values`. */
export interface SqlStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** The last assigned numbers of a sandbox, and the version of the row that contained them. */
export interface HeadNumbers extends SequenceHead {
  /** The last assigned `place`, a position in insertion order. */
  place: number
  /** The transaction that wrote the row. */
  readonly version: string
}

/** Returns the next `place` of a sandbox. */
export function takeInsertionPlace(head: HeadNumbers): number {
  head.place += 1
  return head.place
}

/**
 * Returns the statements that apply the combined effect of writes; new records get their `place` from `nextPlace`.
 * Throws for a record of an unknown type, and PostgreSQL rejects a record that `put` contains twice.
 */
export function createWriteStatements(
  { removed, put }: NetWrites,
  nextPlace: () => number,
): readonly SqlStatement[] {
  const rows = put.map((record) => toRow(record, nextPlace()))
  return [
    ...(removed.length === 0 ? [] : [createDeleteStatement(removed)]),
    ...(rows.length === 0 ? [] : [{ text: putText(), values: toArrays(rows) }]),
  ]
}

/** The parameters of `head`, which follow the arrays of columns. */
const [SEQUENCE, TOLD, PLACE, VERSION] = [2, 3, 4, 5].map((at) => `$${COLUMNS.length + at}`)
const COMMIT_HEAD = `WITH newest AS (
  UPDATE head SET sequence = ${SEQUENCE}, told = ${TOLD}, place = ${PLACE}
  WHERE sandbox = $1 AND xmin = ${VERSION}::xid RETURNING xmin::text AS version, ${DATABASE_NOW_MS_SQL} AS now_ms
), stored AS (${putText('newest, ')}) SELECT version, now_ms FROM newest`

/**
 * Returns the statement that stores records and the head of their sandbox, unless another process has changed the head.
 * The statement returns the new version and the time of the database, or no row.
 */
export function createCommitStatement(put: readonly StoredObject[], head: HeadNumbers): SqlStatement {
  const rows = put.map((record) => toRow(record, takeInsertionPlace(head)))
  return {
    text: COMMIT_HEAD,
    values: [...toArrays(rows), head.sequence, head.lastCreated, head.place, head.version],
  }
}

/** Returns the values of a record's columns. */
function toRow(record: StoredObject, place: number): readonly unknown[] {
  const collection = getCollectionName(record)
  const deadline = findDeadline(record)
  return [
    collection,
    toIndexKey(record.id),
    place,
    findNumberField(record, 'created'),
    JSON.stringify(record),
    ...toKeyColumns(collection, record),
    ...toNumberColumns(collection, record),
    deadline?.queue ?? null,
    deadline?.at ?? null,
    deadline?.rank ?? null,
  ]
}

function toKeyColumns(collection: CollectionName, record: StoredObject): (string | null)[] {
  const readers = Object.values(COLLECTION_RULES[collection].filters)
  return KEY_INDEX_COLUMNS.map((_, at) => {
    const value = readers[at]?.(record as never) ?? null
    return value === null ? null : toIndexKey(value)
  })
}

function toNumberColumns(collection: CollectionName, record: StoredObject): (number | null)[] {
  const { numbers } = getIndexedFields(collection)
  return NUMBER_INDEX_COLUMNS.map((_, at) => findNumberField(record, numbers[at] ?? ''))
}

// `OFFSET 0` has the same purpose as in `createBatchedGet`. The ctids stay valid, because every commit to a sandbox
// locks its head.
/** Returns the statement that deletes records. */
export function createDeleteStatement(removed: readonly StoredObject[]): SqlStatement {
  return {
    text: `DELETE FROM records WHERE sandbox = $1 AND ctid = ANY(ARRAY(
             SELECT place_of FROM unnest($2::text[], $3::text[]) AS removed (in_kind, with_id) CROSS JOIN LATERAL
               (SELECT ctid AS place_of FROM records WHERE sandbox = $1 AND kind = in_kind AND id = with_id OFFSET 0) AS found))`,
    values: [removed.map(getCollectionName), removed.map(({ id }) => toIndexKey(id))],
  }
}

/** Returns the SQL that inserts rows, or updates rows whose ids exist. The parameters are arrays of columns. */
function putText(source = ''): string {
  const arrays = COLUMNS.map(([, type], at) => `$${at + 2}::${type}[]`)
  return `INSERT INTO records (sandbox, ${NAMES.join(', ')})
   SELECT $1, ${NAMES.map((name) => `new.${name}`).join(', ')}
   FROM ${source}unnest(${arrays.join(', ')}) AS new (${NAMES.join(', ')})
   ON CONFLICT (sandbox, kind, id) DO UPDATE SET ${UPDATES.join(', ')}`
}

function toArrays(rows: readonly (readonly unknown[])[]): readonly unknown[][] {
  return COLUMNS.map((_, at) => rows.map((row) => row[at]))
}

import type { Stored } from '../../domain/changes.ts'
import { deadlineOf } from '../../domain/deadlines.ts'
import { numberOf } from '../memory/entries.ts'
import { COLLECTIONS, type Collection, collectionOf } from '../port/collections.ts'
import type { Write } from '../port/store.ts'
import { keyOf } from './postgres-keys.ts'
import { columnsOf, KEY_COLUMNS, NUMBER_COLUMNS } from './postgres-schema.ts'

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
/** A statement with more rows would have more parameters than are worth preparing. */
const ROWS_PER_STATEMENT = 16

/** One statement of a transaction. */
export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** What writes do in the end: the record that each leaves, in the order in which they came, and those that go before. */
interface Net {
  readonly gone: readonly Stored[]
  readonly kept: readonly Stored[]
}

/**
 * The statements that apply writes in their order; records that are new get places from `nextPlace` on. Throws for a
 * record that nothing keeps.
 */
export function writeStatements(
  schema: string,
  writes: readonly Write[],
  nextPlace: () => number,
): readonly Statement[] {
  const { gone, kept } = netOf(writes)
  const rows = kept.map((record) => rowOf(record, nextPlace()))
  const statements = gone.length === 0 ? [] : [deleteStatement(schema, gone)]
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
    statements.push(putStatement(`"${schema}".records`, rows.slice(at, at + ROWS_PER_STATEMENT)))
  }
  return statements
}

/** The row of a record, as its columns are computed now. */
export function rowOf(record: Stored, place: number): readonly unknown[] {
  const collection = collectionOf(record)
  const created = numberOf(record, 'created')
  const deadline = deadlineOf(record)
  return [
    collection,
    keyOf(record.id),
    place,
    Number.isNaN(created) ? null : created,
    JSON.stringify(record),
    ...keysOf(collection, record),
    ...numbersOf(collection, record),
    deadline?.queue ?? null,
    deadline?.at ?? null,
    deadline?.rank ?? null,
  ]
}

function keysOf(collection: Collection, record: Stored): (string | null)[] {
  const values = Object.values(COLLECTIONS[collection].filters).map((read) => read(record as never))
  return KEYS.map((_, at) => {
    const value = values[at] ?? null
    return value === null ? null : keyOf(value)
  })
}

function numbersOf(collection: Collection, record: Stored): (number | null)[] {
  const values = columnsOf(collection).numbers.map((field) => numberOf(record, field))
  return NUMBERS.map((_, at) => {
    const value = values[at] ?? Number.NaN
    return Number.isNaN(value) ? null : value
  })
}

function netOf(writes: readonly Write[]): Net {
  const gone = new Map<string, Stored>()
  const kept = new Map<string, Stored>()
  for (const write of writes) {
    const record = 'put' in write ? write.put : write.remove
    const key = `${collectionOf(record)} ${record.id}`
    if ('put' in write) kept.set(key, record)
    else {
      // What is put again comes after everything else.
      kept.delete(key)
      gone.set(key, record)
    }
  }
  return { gone: [...gone.values()], kept: [...kept.values()] }
}

function deleteStatement(schema: string, gone: readonly Stored[]): Statement {
  return {
    text: `DELETE FROM "${schema}".records USING unnest($1::text[], $2::text[]) AS gone (in_collection, with_id)
           WHERE collection = in_collection AND id = with_id`,
    values: [gone.map(collectionOf), gone.map(({ id }) => keyOf(id))],
  }
}

/** The statement that keeps these rows in a table, each in place of the one of its id, where that was. */
export function putStatement(table: string, rows: readonly (readonly unknown[])[]): Statement {
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

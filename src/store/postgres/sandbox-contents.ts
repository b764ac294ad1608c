import type { StoredObject } from '../../domain/core/changes.ts'
import type { Event } from '../../domain/events/events.ts'
import type { UnparsedContents } from '../memory/parse-contents.ts'
import { RawRecord } from '../memory/raw-record.ts'
import { COLLECTION_NAMES } from '../port/collections.ts'
import type { StoreContents } from '../port/store.ts'
import type { PostgresConnection, QueryRow, RunQuery } from './postgres-connection.ts'
import { runInTransaction } from './postgres-locks.ts'
import { createWriteStatements } from './postgres-writes.ts'

const RECORDS_PER_BATCH = 500
/** Number of records that one transaction deletes; small, so that no transaction takes long. */
const DELETED_PER_BATCH = 2000

/** Begins a transaction in which all statements see the data of one point in time. */
export const BEGIN_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

/** Reports the number of processed records and the total. */
export type OnProgress = (done: number, total: number) => void

/**
 * Reads all records of a sandbox, collection by collection in insertion order. Returns the sequence number of its newest event, or null
 * when the sandbox does not exist.
 */
export async function visitRecords(
  connection: PostgresConnection,
  { sandbox, onProgress }: { readonly sandbox: string; readonly onProgress?: OnProgress },
  onRecord: (record: StoredObject) => void,
): Promise<number | null> {
  const where = 'WHERE sandbox = $1'
  const count = onProgress === undefined ? '0' : `SELECT count(*)::float8 FROM records ${where}`
  const [head] = await connection.query(`SELECT sequence::float8, (${count}) AS total FROM head ${where}`, [
    sandbox,
  ])
  if (head === undefined) return null
  let done = 0
  for (const kind of COLLECTION_NAMES) {
    let place = '0'
    let rows: readonly QueryRow[]
    do {
      rows = await connection.query(
        `SELECT record, place::text AS at FROM records
         ${where} AND kind = $2 AND place > $3::bigint ORDER BY place LIMIT $4`,
        [sandbox, kind, place, RECORDS_PER_BATCH],
      )
      for (const { record } of rows) onRecord(record as StoredObject)
      place = String(rows.at(-1)?.at)
      done += rows.length
      onProgress?.(done, Number(head['total']))
    } while (rows.length === RECORDS_PER_BATCH)
  }
  return Number(head['sequence'])
}

/** Adds a sandbox to `head` if it is missing, locks its row until the end of the transaction, and returns this row. */
export async function insertAndLockHead(
  connection: Pick<PostgresConnection, 'query'>,
  sandbox: string,
): Promise<QueryRow | undefined> {
  await connection.query(
    'INSERT INTO head (sandbox, sequence, place) VALUES ($1, 0, 0) ON CONFLICT (sandbox) DO NOTHING',
    [sandbox],
  )
  return lockHead(connection, sandbox)
}

async function lockHead(
  { query }: Pick<PostgresConnection, 'query'>,
  sandbox: string,
): Promise<QueryRow | undefined> {
  const [row] = await query('SELECT is_deleted FROM head WHERE sandbox = $1 FOR UPDATE', [sandbox])
  return row
}

/** Replaces the records of a locked sandbox. */
export async function replaceRecords(
  { query }: Pick<PostgresConnection, 'query'>,
  sandbox: string,
  contents: StoreContents | UnparsedContents,
  onProgress: OnProgress = () => {},
): Promise<void> {
  await query('DELETE FROM records WHERE sandbox = $1', [sandbox])
  const total = COLLECTION_NAMES.reduce((sum, name) => sum + contents.records[name].length, 0)
  let place = 0
  const nextPlace = () => {
    place += 1
    return place
  }
  // PostgreSQL stores a batch while the next batch is prepared and sent.
  let previous: Promise<unknown> = Promise.resolve()
  let storing = previous
  let told = 0
  for (const name of COLLECTION_NAMES) {
    const records = contents.records[name]
    for (let at = 0; at < records.length; at += RECORDS_PER_BATCH) {
      const put = records.slice(at, at + RECORDS_PER_BATCH).map(parse)
      told = put.reduce((latest, record) => Math.max(latest, realTimeOf(record)), told)
      const statements = createWriteStatements({ removed: [], put }, nextPlace)
      await previous
      previous = storing
      storing = Promise.all(statements.map(({ text, values }) => query(text, [sandbox, ...values])))
      // Avoids an unhandled rejection: the promise is awaited after the next batch.
      storing.catch(() => {})
      onProgress(place, total)
    }
  }
  await previous
  await storing
  await query('UPDATE head SET sequence = $2, told = $3, place = $4, is_deleted = false WHERE sandbox = $1', [
    sandbox,
    contents.sequence,
    told,
    place,
  ])
}

// Does not use `RawRecord.parse`, which would keep each parsed record in memory.
function parse(record: StoredObject | RawRecord): StoredObject {
  return record instanceof RawRecord ? JSON.parse(record.text) : record
}

/** Returns the creation time of an event without a test clock, in Unix seconds; 0 for any other record. */
function realTimeOf(record: StoredObject): number {
  if (record.object !== 'event') return 0
  const { test_clock, created } = record as Event
  return test_clock === null ? created : 0
}

/**
 * Deletes the records of a sandbox that is marked as deleted, in many transactions, and then the sandbox itself. Stops
 * when another process writes new contents to the sandbox.
 */
export async function deleteMarkedSandbox(connection: PostgresConnection, sandbox: string): Promise<void> {
  let deleted: number
  do {
    deleted = await runInTransaction(connection, async () => {
      const head = await lockHead(connection, sandbox)
      if (head?.['is_deleted'] !== true) return 0
      const rows = await connection.query(
        `DELETE FROM records WHERE sandbox = $1 AND ctid = ANY(ARRAY(
           SELECT ctid FROM records WHERE sandbox = $1 LIMIT $2)) RETURNING 1`,
        [sandbox, DELETED_PER_BATCH],
      )
      if (rows.length === 0) await deleteHead(connection.query, sandbox)
      return rows.length
    })
  } while (deleted > 0)
}

async function deleteHead(query: RunQuery, sandbox: string): Promise<void> {
  for (const table of ['sandbox_leases', 'sandbox_presences', 'head'])
    await query(`DELETE FROM ${table} WHERE sandbox = $1`, [sandbox])
}

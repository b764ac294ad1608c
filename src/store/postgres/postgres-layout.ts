import type { StoredObject } from '../../domain/changes.ts'
import { StartupError } from '../../domain/startup-error.ts'
import { notifyChannelOf } from './commit-batch.ts'
import { hasTable, type PostgresConnection, type QueryRow } from './postgres-connection.ts'
import { inTransaction, retryUntilUnlocked, tryAdvisoryLock, withAdvisoryLock } from './postgres-locks.ts'
import { createIndexes, createRecordsTable, EVENT_INDEXES, RECORDS_INDEXES } from './postgres-schema.ts'
import { createWriteStatements } from './postgres-writes.ts'

const RECORDS_PER_BATCH = 500
const CHANGES_PER_BATCH = 1000
/** With fewer remaining changes, the final switch blocks writes only briefly. */
const CAUGHT_UP_CHANGES = 200
/** When writes are faster than the copy, the switch blocks them after this many rounds. */
const MAX_CATCH_UP_ROUNDS = 1000
const RECORDS_PER_NOTE = 50_000
/** No process has this name, so all processes react to the notification. */
const NOTIFY_SENDER = 'layout'

export interface LayoutOptions {
  /** The layouts that this version supports, oldest first; the last one is its own. */
  readonly layouts: readonly string[]
  readonly onNote?: (message: string) => void
}

/**
 * Migrates the columns of all records to the layout of this version while processes of an older version continue to write.
 * Copies the records in batches to a second table, applies the changes that a trigger records during the copy, and finally swaps
 * the tables. An interrupted copy resumes. Throws for a layout of a newer version.
 */
export async function migrateLayout(connection: PostgresConnection, options: LayoutOptions): Promise<void> {
  const { layouts } = options
  const own = layouts.at(-1) ?? ''
  if ((await readLayout(connection, layouts)) === own) return dropAbandonedCopy(connection)
  // When several processes start at once, one copies and the others wait.
  await withAdvisoryLock(connection, lockName(connection), async () => {
    const now = await readLayout(connection, layouts)
    if (now !== own && now !== '') await copyAll(connection, options)
    if (now !== own) await retryUntilUnlocked(connection, () => switchLayout(connection, now, own))
  })
}

/** Returns the layout of the database; throws for that of a newer version. Works with the tables of every version. */
export async function readLayout(
  connection: PostgresConnection,
  layouts: readonly string[],
): Promise<string> {
  // In 0.1.0 `head` has no id column, and a reader does not migrate.
  const [head] = await connection.exec('SELECT layout FROM head')
  const layout = String(head?.['layout'])
  if (layout === '' || layouts.includes(layout)) return layout
  throw new StartupError(
    'database_newer',
    'A newer version of paycli changed the layout of this database. Use that version or a later one.',
  )
}

const lockName = ({ schema }: PostgresConnection) => `layout ${schema}`

async function readCopyTarget(connection: PostgresConnection): Promise<string | null> {
  if (!(await hasTable(connection, 'layout_progress'))) return null
  const [progress] = await connection.exec(`SELECT target FROM layout_progress`)
  return String(progress?.['target'])
}

const DROP_COPY = `
  DROP TRIGGER IF EXISTS layout_note ON records;
  DROP FUNCTION IF EXISTS layout_note();
  DROP TABLE IF EXISTS layout_progress, layout_changes, records_next`

// Drops a copy that a newer version left unfinished, because its trigger would record every change forever.
async function dropAbandonedCopy(connection: PostgresConnection): Promise<void> {
  if ((await readCopyTarget(connection)) === null) return
  await tryAdvisoryLock(connection, lockName(connection), () =>
    retryUntilUnlocked(connection, () => connection.exec(DROP_COPY)),
  )
}

async function copyAll(
  connection: PostgresConnection,
  { layouts, onNote = () => {} }: LayoutOptions,
): Promise<void> {
  const own = layouts.at(-1) ?? ''
  const target = await readCopyTarget(connection)
  if (target !== null && target !== own)
    await retryUntilUnlocked(connection, () => connection.exec(DROP_COPY))
  if (target !== own) await beginCopy(connection, own)
  const [all] = await connection.exec(`SELECT count(*)::float8 AS number FROM records`)
  onNote(
    `Indexing ${Number(all?.['number'])} records for this version. Servers of the older version stay available meanwhile.`,
  )
  let noted = 0
  for (let copied = 0; ; ) {
    const count = await inTransaction(connection, () => copyBatch(connection))
    copied += count
    if (count < RECORDS_PER_BATCH) break
    if (copied >= noted + RECORDS_PER_NOTE) {
      noted = copied
      onNote(`Indexed ${copied} records.`)
    }
  }
  await catchUp(connection)
}

async function beginCopy(connection: PostgresConnection, target: string): Promise<void> {
  await inTransaction(connection, () =>
    connection.exec(`CREATE TABLE layout_progress (target text NOT NULL, collection text NOT NULL, id text NOT NULL);
      INSERT INTO layout_progress VALUES ('${target}', '', '');
      CREATE TABLE layout_changes (number bigserial PRIMARY KEY, collection text NOT NULL, id text NOT NULL);
      ${createRecordsTable('records_next')}
      ${createIndexes('records_next', EVENT_INDEXES)}
      CREATE FUNCTION layout_note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
        DECLARE one record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
        BEGIN
          INSERT INTO "${connection.schema}".layout_changes (collection, id) VALUES (one.collection, one.id);
          RETURN NULL;
        END $$;
      CREATE TRIGGER layout_note AFTER INSERT OR UPDATE OR DELETE ON records
        FOR EACH ROW EXECUTE FUNCTION layout_note()`),
  )
}

/** Copies the next batch of records in key order; returns their number. */
async function copyBatch(connection: PostgresConnection): Promise<number> {
  const rows = await connection.query(
    `SELECT records.collection, records.id, record, place::float8 AS place
     FROM records, layout_progress AS progress
     WHERE (records.collection, records.id) > (progress.collection, progress.id)
     ORDER BY records.collection, records.id LIMIT $1`,
    [RECORDS_PER_BATCH],
  )
  await putAll(connection, rows)
  const last = rows.at(-1)
  if (last !== undefined) {
    const text = `UPDATE layout_progress SET collection = $1, id = $2`
    await connection.query(text, [last['collection'], last['id']])
  }
  return rows.length
}

async function putAll(connection: PostgresConnection, rows: readonly QueryRow[]): Promise<void> {
  const places = rows.values().map(({ place }) => Number(place))
  const statements = createWriteStatements(
    rows.map(({ record }) => ({ put: record as StoredObject })),
    () => places.next().value ?? 0,
    'records_next',
  )
  await Promise.all(statements.map(({ text, values }) => connection.query(text, values)))
}

async function catchUp(connection: PostgresConnection): Promise<void> {
  for (let round = 0; round < MAX_CATCH_UP_ROUNDS; round += 1) {
    if ((await inTransaction(connection, () => copyChanges(connection))) < CAUGHT_UP_CHANGES) return
  }
}

/** Copies a batch of changed records again; returns the number of changes. */
async function copyChanges(connection: PostgresConnection): Promise<number> {
  const changes = await connection.query(
    `DELETE FROM layout_changes WHERE number IN
       (SELECT number FROM layout_changes ORDER BY number LIMIT $1) RETURNING collection, id`,
    [CHANGES_PER_BATCH],
  )
  if (changes.length === 0) return 0
  const keys = [changes.map(({ collection }) => collection), changes.map(({ id }) => id)]
  const changed = 'unnest($1::text[], $2::text[]) AS changed (in_collection, with_id)'
  await connection.query(
    `DELETE FROM records_next USING ${changed} WHERE collection = in_collection AND id = with_id`,
    keys,
  )
  const rows = await connection.query(
    `SELECT record, place::float8 AS place FROM records
     WHERE (collection, id) IN (SELECT in_collection, with_id FROM ${changed})`,
    keys,
  )
  await putAll(connection, rows)
  return changes.length
}

async function switchLayout(connection: PostgresConnection, from: string, to: string): Promise<void> {
  const [head] = await connection.exec(`SELECT layout FROM head WHERE id = 1 FOR UPDATE`)
  if (head?.['layout'] !== from)
    throw new Error('Cannot switch the layout: another process changed it without the layout lock')
  if (from !== '') {
    while ((await copyChanges(connection)) > 0);
    await connection.exec(
      `DROP TABLE records; ALTER TABLE records_next RENAME TO records;
       ${RECORDS_INDEXES.map((index) => `ALTER INDEX records_next_${index} RENAME TO records_${index};`).join(' ')}
       ${DROP_COPY}`,
    )
  }
  await connection.exec(
    `UPDATE head SET layout = '${to}' WHERE id = 1; SELECT pg_notify('${notifyChannelOf(connection.schema)}', '${NOTIFY_SENDER}')`,
  )
}

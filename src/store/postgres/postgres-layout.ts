import type { StoredObject } from '../../domain/changes.ts'
import { DEFAULT_SANDBOX } from '../../domain/sandboxes.ts'
import { StartupError } from '../../domain/startup-error.ts'
import { notifyChannelOf } from './change-listener.ts'
import { hasTable, type PostgresConnection, type QueryRow } from './postgres-connection.ts'
import { inTransaction, retryUntilUnlocked, tryAdvisoryLock, withAdvisoryLock } from './postgres-locks.ts'
import { createRecordsTable, RECORDS_INDEXES } from './postgres-schema.ts'
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

/** How the records of a database are identified: before the sandboxes, all belong to the default one. */
export interface RecordsShape {
  /** SQL of the sandbox and the collection of a record. */
  readonly sandbox: string
  readonly kind: string
  /** The columns of the primary key. */
  readonly key: readonly string[]
}

/** The identification of records in the layout of this version. */
export const SHAPE: RecordsShape = { sandbox: 'sandbox', kind: 'kind', key: ['sandbox', 'kind', 'id'] }
const SHAPE_WITHOUT_SANDBOXES: RecordsShape = {
  sandbox: `'${DEFAULT_SANDBOX}'`,
  kind: 'collection',
  key: ['collection', 'id'],
}

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
    if (now === own) return
    const shape = await readShape(connection)
    const isCopied = now !== '' || shape !== SHAPE
    if (isCopied) await copyAll(connection, shape, options)
    await retryUntilUnlocked(connection, () => switchLayout(connection, isCopied ? shape : null, [now, own]))
  })
}

/** Returns the layout of the database; throws for that of a newer version. Works with the tables of every version. */
export async function readLayout(
  connection: PostgresConnection,
  layouts: readonly string[],
): Promise<string> {
  // All rows have the same layout. A reader does not migrate, so the table may have no sandboxes yet.
  const [head] = await connection.exec('SELECT layout FROM head LIMIT 1')
  const layout = String(head?.['layout'])
  if (layout === '' || layouts.includes(layout)) return layout
  throw new StartupError(
    'database_newer',
    'A newer version of paycli changed the layout of this database. Use that version or a later one.',
  )
}

/** Returns how the records of a database are identified. */
export async function readShape(connection: PostgresConnection): Promise<RecordsShape> {
  const [row] = await connection.exec(
    `SELECT 1 FROM pg_attribute WHERE attrelid = 'records'::regclass AND attname = 'sandbox'`,
  )
  return row === undefined ? SHAPE_WITHOUT_SANDBOXES : SHAPE
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
  shape: RecordsShape,
  { layouts, onNote = () => {} }: LayoutOptions,
): Promise<void> {
  const own = layouts.at(-1) ?? ''
  const target = await readCopyTarget(connection)
  if (target !== null && target !== own)
    await retryUntilUnlocked(connection, () => connection.exec(DROP_COPY))
  if (target !== own) await beginCopy(connection, shape, own)
  const [all] = await connection.exec(`SELECT count(*)::float8 AS number FROM records`)
  onNote(
    `Indexing ${Number(all?.['number'])} records for this version. Servers of the older version stay available meanwhile.`,
  )
  let noted = 0
  for (let copied = 0; ; ) {
    const count = await inTransaction(connection, () => copyBatch(connection, shape))
    copied += count
    if (count < RECORDS_PER_BATCH) break
    if (copied >= noted + RECORDS_PER_NOTE) {
      noted = copied
      onNote(`Indexed ${copied} records.`)
    }
  }
  await catchUp(connection, shape)
}

async function beginCopy(connection: PostgresConnection, shape: RecordsShape, target: string): Promise<void> {
  const key = 'sandbox text NOT NULL, kind text NOT NULL, id text NOT NULL'
  const sandbox = shape.sandbox === 'sandbox' ? 'one.sandbox' : shape.sandbox
  await retryUntilUnlocked(connection, () =>
    connection.exec(`CREATE TABLE layout_progress (target text NOT NULL, ${key});
      INSERT INTO layout_progress VALUES ('${target}', '', '', '');
      CREATE TABLE layout_changes (number bigserial PRIMARY KEY, ${key});
      ${createRecordsTable('records_next')}
      CREATE FUNCTION layout_note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
        DECLARE one record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
        BEGIN
          INSERT INTO "${connection.schema}".layout_changes (sandbox, kind, id) VALUES (${sandbox}, one.${shape.kind}, one.id);
          RETURN NULL;
        END $$;
      CREATE TRIGGER layout_note AFTER INSERT OR UPDATE OR DELETE ON records
        FOR EACH ROW EXECUTE FUNCTION layout_note()`),
  )
}

/** Copies the next batch of records in key order; returns their number. */
async function copyBatch(connection: PostgresConnection, shape: RecordsShape): Promise<number> {
  const [progress] = await connection.exec('SELECT sandbox, kind, id FROM layout_progress')
  const done = [progress?.['sandbox'], progress?.['kind'], progress?.['id']].slice(-shape.key.length)
  const key = shape.key.join(', ')
  const rows = await connection.query(
    `SELECT ${shape.sandbox} AS sandbox, ${shape.kind} AS kind, id, record, place::float8 AS place FROM records
     WHERE (${key}) > (${done.map((_, at) => `$${at + 2}`).join(', ')}) ORDER BY ${key} LIMIT $1`,
    [RECORDS_PER_BATCH, ...done],
  )
  await putAll(connection, rows)
  const last = rows.at(-1)
  if (last !== undefined) {
    const text = 'UPDATE layout_progress SET sandbox = $1, kind = $2, id = $3'
    await connection.query(text, [last['sandbox'], last['kind'], last['id']])
  }
  return rows.length
}

async function putAll(connection: PostgresConnection, rows: readonly QueryRow[]): Promise<void> {
  for (const [sandbox, ofSandbox] of Map.groupBy(rows, (row) => String(row['sandbox']))) {
    const places = ofSandbox.values().map(({ place }) => Number(place))
    const statements = createWriteStatements(
      ofSandbox.map(({ record }) => ({ put: record as StoredObject })),
      () => places.next().value ?? 0,
      'records_next',
    )
    await Promise.all(statements.map(({ text, values }) => connection.query(text, [sandbox, ...values])))
  }
}

async function catchUp(connection: PostgresConnection, shape: RecordsShape): Promise<void> {
  for (let round = 0; round < MAX_CATCH_UP_ROUNDS; round += 1) {
    const count = await inTransaction(connection, () => copyChanges(connection, shape))
    if (count < CAUGHT_UP_CHANGES) return
  }
}

/** Copies a batch of changed records again; returns the number of changes. */
async function copyChanges(connection: PostgresConnection, shape: RecordsShape): Promise<number> {
  const changes = await connection.query(
    `DELETE FROM layout_changes WHERE number IN
       (SELECT number FROM layout_changes ORDER BY number LIMIT $1) RETURNING sandbox, kind, id`,
    [CHANGES_PER_BATCH],
  )
  if (changes.length === 0) return 0
  const keys = [
    changes.map(({ sandbox }) => sandbox),
    changes.map(({ kind }) => kind),
    changes.map(({ id }) => id),
  ]
  const changed = 'unnest($1::text[], $2::text[], $3::text[]) AS changed (in_sandbox, in_kind, with_id)'
  await connection.query(
    `DELETE FROM records_next USING ${changed} WHERE sandbox = in_sandbox AND kind = in_kind AND id = with_id`,
    keys,
  )
  const own = shape.key.map((column) => `records.${column}`).join(', ')
  const wanted = ['in_sandbox', 'in_kind', 'with_id'].slice(-shape.key.length).join(', ')
  const rows = await connection.query(
    `SELECT ${shape.sandbox} AS sandbox, record, place::float8 AS place FROM records
     WHERE (${own}) IN (SELECT ${wanted} FROM ${changed})`,
    keys,
  )
  await putAll(connection, rows)
  return changes.length
}

// A delivery that an older server has begun must not begin again before its lease expires.
const COPY_LEASES = `
  INSERT INTO sandbox_leases SELECT '${DEFAULT_SANDBOX}', name, holder, until FROM leases ON CONFLICT DO NOTHING;
  INSERT INTO sandbox_presences SELECT '${DEFAULT_SANDBOX}', name, holder, until FROM presences ON CONFLICT DO NOTHING`

/** Switches to the copy of records with this shape, or to the empty table of a new database for null. */
async function switchLayout(
  connection: PostgresConnection,
  copied: RecordsShape | null,
  [from, to]: readonly [string, string],
): Promise<void> {
  // Excludes commits in all sandboxes, and new sandboxes.
  await connection.exec('LOCK TABLE head IN EXCLUSIVE MODE')
  const heads = await connection.exec('SELECT layout FROM head')
  if (heads.some(({ layout }) => layout !== from))
    throw new Error('Cannot switch the layout: another process changed it without the layout lock')
  if (copied !== null) {
    while ((await copyChanges(connection, copied)) > 0);
    if (copied !== SHAPE) await connection.exec(COPY_LEASES)
    await connection.exec(
      `DROP TABLE records; ALTER TABLE records_next RENAME TO records;
       ${RECORDS_INDEXES.map((index) => `ALTER INDEX records_next_${index} RENAME TO records_${index};`).join(' ')}
       ${DROP_COPY}`,
    )
  }
  await connection.exec(
    `UPDATE head SET layout = '${to}'; SELECT pg_notify('${notifyChannelOf(connection.schema)}', '${NOTIFY_SENDER}')`,
  )
}

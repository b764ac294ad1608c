import type { Stored } from '../../domain/changes.ts'
import { StartupProblem } from '../../domain/startup-problem.ts'
import { channelOf } from './postgres-batch.ts'
import type { Connection, Row } from './postgres-connection.ts'
import { tryAdvisoryLock, whenFree, withAdvisoryLock, within } from './postgres-locks.ts'
import { createIndexes, EVENT_INDEXES, RECORDS_INDEXES, recordsTable } from './postgres-schema.ts'
import { putStatement, rowOf } from './postgres-writes.ts'

const RECORDS_PER_STEP = 500
const CHANGES_PER_STEP = 1000
const RECORDS_PER_STATEMENT = 250
/** So few changes are left that writes wait only a moment for them. */
const FEW_CHANGES = 200
/** Whoever writes faster than changes are copied waits at last. */
const MAX_CATCH_UPS = 1000
const RECORDS_PER_NOTE = 50_000
/** Every process at the schema hears of the change. */
const NEWS = 'layout'

/** Where records are laid out, and how. */
export interface Layouts {
  readonly schema: string
  /** The layouts that this version knows, the oldest first; the last one is its own. */
  readonly layouts: readonly string[]
  readonly onNote?: (message: string) => void
}

/**
 * Brings the columns of all records to the layout of this version, while processes of an older version go on writing.
 * Copies the records in batches into a second table, follows the changes that a trigger notes meanwhile, and exchanges
 * the tables at the end; a copy that was interrupted goes on where it was. Refuses a layout of a newer version.
 */
export async function layOut(connection: Connection, site: Layouts): Promise<void> {
  const { schema, layouts } = site
  const own = layouts.at(-1) ?? ''
  if ((await layoutNow(connection, site)) === own) return forgetAbandoned(connection, site)
  // Of several that start at once one copies, and the others wait for it.
  await withAdvisoryLock(connection, `layout ${schema}`, async () => {
    const now = await layoutNow(connection, site)
    if (now !== own && now !== '') await copyAll(connection, site)
    if (now !== own) await switchTo(connection, site, { from: now, to: own })
  })
}

/** Refuses a database whose records are laid out by a newer version; reads tables of every version. */
export async function requireKnownLayout(connection: Connection, site: Layouts): Promise<void> {
  // In 0.1.0 head has no key, and what only reads does not migrate.
  const [head] = await connection.run(`SELECT layout FROM "${site.schema}".head`)
  knownLayout(head, site)
}

async function layoutNow(connection: Connection, site: Layouts): Promise<string> {
  const [head] = await connection.run(`SELECT layout FROM "${site.schema}".head WHERE id = 1`)
  return knownLayout(head, site)
}

function knownLayout(head: Row | undefined, { layouts }: Layouts): string {
  const layout = String(head?.['layout'])
  if (layout === '' || layouts.includes(layout)) return layout
  throw new StartupProblem(
    'database_newer',
    'A newer paycli has laid out the records of this database. Start it with that version or a later one.',
  )
}

async function targetOfCopy(connection: Connection, schema: string): Promise<string | null> {
  const [found] = await connection.ask('SELECT to_regclass($1) IS NOT NULL AS "isThere"', [
    `"${schema}".layout_progress`,
  ])
  if (found?.['isThere'] !== true) return null
  const [progress] = await connection.run(`SELECT target FROM "${schema}".layout_progress`)
  return String(progress?.['target'])
}

const leftovers = (schema: string) => `
  DROP TRIGGER IF EXISTS layout_note ON "${schema}".records;
  DROP FUNCTION IF EXISTS "${schema}".layout_note();
  DROP TABLE IF EXISTS "${schema}".layout_progress, "${schema}".layout_changes, "${schema}".records_next`

// A newer version began, was stopped, and this one goes on in its place: its changes would be noted for nobody.
async function forgetAbandoned(connection: Connection, { schema }: Layouts): Promise<void> {
  if ((await targetOfCopy(connection, schema)) === null) return
  await tryAdvisoryLock(connection, `layout ${schema}`, () =>
    whenFree(connection, () => forgetCopy(connection, schema)),
  )
}

async function copyAll(connection: Connection, site: Layouts): Promise<void> {
  const { schema, onNote = () => {} } = site
  const own = site.layouts.at(-1) ?? ''
  const target = await targetOfCopy(connection, schema)
  if (target !== null && target !== own) await whenFree(connection, () => forgetCopy(connection, schema))
  if (target !== own) await beginCopy(connection, schema, own)
  const [all] = await connection.run(`SELECT count(*)::float8 AS number FROM "${schema}".records`)
  onNote(
    `Indexing ${Number(all?.['number'])} records for this version. Services of the older version go on until it is done.`,
  )
  let noted = 0
  for (let copied = 0; ; ) {
    const step = await within(connection, () => copyStep(connection, schema))
    copied += step
    if (step < RECORDS_PER_STEP) break
    if (copied >= noted + RECORDS_PER_NOTE) {
      noted = copied
      onNote(`Indexed ${copied} records.`)
    }
  }
  await catchUp(connection, schema)
}

async function beginCopy(connection: Connection, schema: string, target: string): Promise<void> {
  await within(connection, () =>
    connection.run(`SET LOCAL search_path TO "${schema}";
      CREATE TABLE layout_progress (target text NOT NULL, collection text NOT NULL, id text NOT NULL);
      INSERT INTO layout_progress VALUES ('${target}', '', '');
      CREATE TABLE layout_changes (number bigserial PRIMARY KEY, collection text NOT NULL, id text NOT NULL);
      ${recordsTable('records_next')}
      ${createIndexes('records_next', EVENT_INDEXES)}
      CREATE FUNCTION layout_note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
        DECLARE one record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
        BEGIN
          INSERT INTO "${schema}".layout_changes (collection, id) VALUES (one.collection, one.id);
          RETURN NULL;
        END $$;
      CREATE TRIGGER layout_note AFTER INSERT OR UPDATE OR DELETE ON records
        FOR EACH ROW EXECUTE FUNCTION layout_note()`),
  )
}

/** Copies the next records in the order of their keys; resolves with how many. */
async function copyStep(connection: Connection, schema: string): Promise<number> {
  const rows = await connection.ask(
    `SELECT records.collection, records.id, record, place::float8 AS place
     FROM "${schema}".records, "${schema}".layout_progress AS progress
     WHERE (records.collection, records.id) > (progress.collection, progress.id)
     ORDER BY records.collection, records.id LIMIT $1`,
    [RECORDS_PER_STEP],
  )
  await putAll(connection, schema, rows)
  const last = rows.at(-1)
  if (last !== undefined) {
    const text = `UPDATE "${schema}".layout_progress SET collection = $1, id = $2`
    await connection.ask(text, [last['collection'], last['id']])
  }
  return rows.length
}

type Rows = Awaited<ReturnType<Connection['ask']>>

async function putAll(connection: Connection, schema: string, rows: Rows): Promise<void> {
  const all = rows.map(({ record, place }) => rowOf(record as Stored, Number(place)))
  const statements = []
  for (let at = 0; at < all.length; at += RECORDS_PER_STATEMENT)
    statements.push(putStatement(`"${schema}".records_next`, all.slice(at, at + RECORDS_PER_STATEMENT)))
  // Those of one step are sent together, and answered in their order.
  await Promise.all(statements.map(({ text, values }) => connection.ask(text, values)))
}

async function catchUp(connection: Connection, schema: string): Promise<void> {
  for (let tries = 0; tries < MAX_CATCH_UPS; tries += 1) {
    if ((await within(connection, () => copyChanges(connection, schema))) < FEW_CHANGES) return
  }
}

/** Copies what has changed since it was copied; resolves with how many changes there were. */
async function copyChanges(connection: Connection, schema: string): Promise<number> {
  const changes = await connection.ask(
    `DELETE FROM "${schema}".layout_changes WHERE number IN
       (SELECT number FROM "${schema}".layout_changes ORDER BY number LIMIT $1) RETURNING collection, id`,
    [CHANGES_PER_STEP],
  )
  if (changes.length === 0) return 0
  const keys = [changes.map(({ collection }) => collection), changes.map(({ id }) => id)]
  const changed = 'unnest($1::text[], $2::text[]) AS changed (in_collection, with_id)'
  await connection.ask(
    `DELETE FROM "${schema}".records_next USING ${changed} WHERE collection = in_collection AND id = with_id`,
    keys,
  )
  const rows = await connection.ask(
    `SELECT record, place::float8 AS place FROM "${schema}".records
     WHERE (collection, id) IN (SELECT in_collection, with_id FROM ${changed})`,
    keys,
  )
  await putAll(connection, schema, rows)
  return changes.length
}

interface Switch {
  readonly from: string
  readonly to: string
}

function switchTo(connection: Connection, site: Layouts, change: Switch): Promise<void> {
  return whenFree(connection, () => switchOnce(connection, site, change))
}

async function forgetCopy(connection: Connection, schema: string): Promise<void> {
  await connection.run(leftovers(schema))
}

async function switchOnce(connection: Connection, { schema }: Layouts, { from, to }: Switch): Promise<void> {
  const [head] = await connection.run(`SELECT layout FROM "${schema}".head WHERE id = 1 FOR UPDATE`)
  if (head?.['layout'] !== from) throw new Error('the layout was changed without its lock')
  if (from !== '') {
    while ((await copyChanges(connection, schema)) > 0);
    await connection.run(
      `DROP TABLE "${schema}".records; ALTER TABLE "${schema}".records_next RENAME TO records;
       ${RECORDS_INDEXES.map((index) => `ALTER INDEX "${schema}".records_next_${index} RENAME TO records_${index};`).join(' ')}
       ${leftovers(schema)}`,
    )
  }
  await connection.run(
    `UPDATE "${schema}".head SET layout = '${to}' WHERE id = 1; SELECT pg_notify('${channelOf(schema)}', '${NEWS}')`,
  )
}

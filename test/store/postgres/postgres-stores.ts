import { sleep } from '../../../src/daemon/system/ticker.ts'
import type { Database } from '../../../src/store/port/database.ts'
import type { ProcessCoordinator, Store } from '../../../src/store/port/store.ts'
import {
  openPostgresDatabase,
  type PostgresDatabaseOptions,
} from '../../../src/store/postgres/postgres-database.ts'
import { LAYOUTS } from '../../../src/store/postgres/postgres-schema.ts'
import { dropDatabase, newDatabaseUrl, onDatabase } from '../../support/postgres.ts'
import { rejection } from '../fixture.ts'
import '../../support/sandbox-statements.ts'

let names = 0

type OpenOptions = Partial<Omit<PostgresDatabaseOptions, 'url' | 'newSuffix'>>

/** Opens the default store of a PostgreSQL database with a process name of its own. */
export async function openAt(url: string, options: OpenOptions = {}): Promise<Store> {
  return (await openDatabaseAt(url, options)).defaultStore
}

/** Opens a PostgreSQL database with a process name of its own. */
export function openDatabaseAt(url: string, options: OpenOptions = {}): Promise<Database> {
  names += 1
  return openPostgresDatabase({
    url,
    newSuffix: () => `holder-${names}`,
    pause: sleep,
    // A count of processes stays valid, however slow the machine is.
    monotonicMs: () => 0,
    ...options,
  })
}

/** Returns the error of opening a store. */
export function openErrorAt(url: string): Promise<Error> {
  return rejection(openAt(url).then((store) => store.close()))
}

/** Runs `work` with `count` stores of a new database, and then closes and drops them. */
export async function withStores(
  count: number,
  work: (stores: readonly [Store, Store], url: string) => Promise<void>,
): Promise<void> {
  const url = await newDatabaseUrl()
  const stores: Store[] = []
  try {
    for (let opened = 0; opened < count; opened += 1) stores.push(await openAt(url))
    const [first, second = first] = stores
    if (first === undefined || second === undefined) throw new Error('no store')
    await work([first, second], url)
  } finally {
    for (const store of stores) await store.close()
    await dropDatabase(url)
  }
}

/** Returns the process coordinator of a store. */
export function coordinatorOf({ coordinator }: Store): ProcessCoordinator {
  if (coordinator === undefined) throw new Error('the store has no coordinator')
  return coordinator
}

/** Returns the schema in a URL. */
export function schemaOf(url: string): string {
  return new URL(url).searchParams.get('schema') ?? ''
}

/** The last layout without sandboxes. */
const LAYOUT_WITHOUT_SANDBOXES = LAYOUTS[1] ?? ''

/** Replaces the table of records by the one of version 4. */
const RECORDS_WITHOUT_SANDBOXES = `
CREATE TABLE older (
  collection text NOT NULL, id text NOT NULL, place bigint NOT NULL, created double precision, record json NOT NULL,
  key1 text, key2 text, key3 text, key4 text, key5 text, number1 double precision,
  due_queue text, due_at double precision, due_rank smallint, PRIMARY KEY (collection, id)
);
INSERT INTO older SELECT kind, id, place, created, record, key1, key2, key3, key4, key5, number1, due_queue, due_at, due_rank
  FROM records WHERE sandbox = 'default';
DROP TABLE records;
ALTER TABLE older RENAME TO records;
ALTER INDEX older_pkey RENAME TO records_pkey;
CREATE INDEX records_listed ON records (collection, created, place) WHERE created IS NOT NULL;
CREATE INDEX records_place ON records (collection, place);
CREATE INDEX records_number1 ON records (collection, number1) WHERE number1 IS NOT NULL;
CREATE INDEX records_due ON records (due_queue, due_at, due_rank, place) WHERE due_queue IS NOT NULL;
CREATE INDEX records_events_key1 ON records (key1, number1) WHERE collection = 'events'`

/** Statements that undo each migration after the first one. */
const DOWN_MIGRATIONS: readonly string[] = [
  'ALTER TABLE head DROP COLUMN told',
  'ALTER TABLE head DROP COLUMN id',
  'DROP INDEX records_events_key1',
  `${RECORDS_WITHOUT_SANDBOXES};
   DELETE FROM head WHERE sandbox <> 'default';
   ALTER TABLE head DROP COLUMN sandbox, DROP COLUMN is_deleted, ALTER COLUMN id SET DEFAULT 1, ADD PRIMARY KEY (id);
   UPDATE head SET layout = '${LAYOUT_WITHOUT_SANDBOXES}';
   DROP TABLE sandbox_leases, sandbox_presences;
   CREATE TABLE leases (name text PRIMARY KEY, holder text NOT NULL, until timestamptz NOT NULL);
   CREATE TABLE presences (
     name text NOT NULL, holder text NOT NULL, until timestamptz NOT NULL, PRIMARY KEY (name, holder)
   )`,
]

/** Reverts the tables to an older version. */
export async function downgrade(url: string, version: number): Promise<void> {
  // The newest first.
  const undone = DOWN_MIGRATIONS.slice(version - 1)
    .map((text) => `${text};`)
    .reverse()
  await onDatabase(url, (client) =>
    client.query(
      `SET search_path TO ${schemaOf(url)}; ${undone.join(' ')} DELETE FROM migrations WHERE version > ${version}`,
    ),
  )
}

const FROM_CONNECTIONS = 'FROM pg_stat_activity WHERE application_name = $1 AND query LIKE $2'

/** Returns the number of connections whose last statement contains these words and that wait for this type of event. */
export function connectionsAt(url: string, words: string, waitType = ''): Promise<number> {
  const waiting = waitType === '' ? '' : ` AND wait_event_type = '${waitType}'`
  return countRows(url, `SELECT pid ${FROM_CONNECTIONS}${waiting}`, words)
}

/** Terminates the connections whose last statement contains these words; returns their number. */
export function endConnections(url: string, words: string): Promise<number> {
  return countRows(url, `SELECT pg_terminate_backend(pid) ${FROM_CONNECTIONS}`, words)
}

function countRows(url: string, text: string, words: string): Promise<number> {
  return onDatabase(url, async (client) => {
    const { rows } = await client.query(text, [`paycli ${schemaOf(url)}`, `%${words}%`])
    return rows.length
  })
}

/** Waits until a condition holds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10))
}

import { hash } from 'node:crypto'
import { StartupProblem } from '../domain/startup-problem.ts'
import { COLLECTION_NAMES, COLLECTIONS, type Collection } from './collections.ts'
import { BEGIN, type Connection } from './postgres-connection.ts'

/** How many filters of a collection have an index. */
export const KEY_COLUMNS = 5
/** How many numbers of a collection have an index. */
export const NUMBER_COLUMNS = 1

/** Lists of events between bounds of `created` are read in blocks of so many numbers of the sequence; part of an index. */
export const EVENTS_PER_BLOCK = 4096

/** Grows when the columns of a record are computed in another way than before, so that they are computed anew. */
const REVISION = 1

/**
 * The layouts of all versions, the oldest first. Append what `layout()` gives when a rule for a column changes: that
 * version then copies the records, and older ones refuse the database.
 */
export const LAYOUTS: readonly string[] = ['4f2f79d857fc8449dab315741fcd854c1aba3a68e8624a76d3c84333698e4089']

const keyColumns = Array.from({ length: KEY_COLUMNS }, (_, at) => `key${at + 1}`)

/** An index of a table of records. */
interface RecordsIndex {
  /** The index is named after its table, followed by this suffix. */
  readonly suffix: string
  /** Its columns and its condition in SQL. */
  readonly definition: string
}

/** The indexes that list events, by their sequence, which is their number1. */
const EVENT_INDEXES: readonly RecordsIndex[] = [
  ...[1, 2, 3].map((at) => ({
    suffix: `events_key${at}`,
    definition: `(key${at}, number1) WHERE collection = 'events' AND key${at} IS NOT NULL AND number1 IS NOT NULL`,
  })),
  {
    suffix: 'events_block',
    definition: `(floor(number1 / ${EVENTS_PER_BLOCK}), created) WHERE collection = 'events' AND number1 IS NOT NULL`,
  },
]

/** The suffixes of all indexes of a table of records. */
export const RECORDS_INDEXES: readonly string[] = [
  'pkey',
  'listed',
  'place',
  ...keyColumns,
  'number1',
  'due',
  ...EVENT_INDEXES.map(({ suffix }) => suffix),
]

/** Returns the statements that create the event indexes of a table of records. */
export function eventIndexes(table: string): string {
  return EVENT_INDEXES.map(
    ({ suffix, definition }) => `CREATE INDEX ${table}_${suffix} ON ${table} ${definition};`,
  ).join('\n')
}

/** The statements that make a table of records with the indexes of the first migration. */
export function recordsTable(name: string): string {
  const indexes = keyColumns.map(
    (key) =>
      `CREATE INDEX ${name}_${key} ON ${name} (collection, ${key}, created, place) WHERE ${key} IS NOT NULL AND created IS NOT NULL;`,
  )
  return `
CREATE TABLE ${name} (
  collection text NOT NULL,
  id text NOT NULL,
  place bigint NOT NULL,
  created double precision,
  record json NOT NULL,
  ${keyColumns.map((key) => `${key} text,`).join(' ')}
  number1 double precision,
  due_queue text,
  due_at double precision,
  due_rank smallint,
  PRIMARY KEY (collection, id)
);
CREATE INDEX ${name}_listed ON ${name} (collection, created, place) WHERE created IS NOT NULL;
CREATE INDEX ${name}_place ON ${name} (collection, place);
${indexes.join('\n')}
CREATE INDEX ${name}_number1 ON ${name} (collection, number1) WHERE number1 IS NOT NULL;
CREATE INDEX ${name}_due ON ${name} (due_queue, due_at, due_rank, place) WHERE due_queue IS NOT NULL;`
}

/**
 * What makes the tables, step by step; a step that was released is never changed. All records are in one table, as text
 * that keeps the order of fields; `head` has the numbers given out last, and who changes anything locks it.
 */
const MIGRATIONS: readonly string[] = [
  `
CREATE TABLE head (
  sequence bigint NOT NULL,
  place bigint NOT NULL,
  layout text NOT NULL
);
INSERT INTO head VALUES (0, 0, '');
${recordsTable('records')}
CREATE TABLE leases (
  name text PRIMARY KEY,
  holder text NOT NULL,
  until timestamptz NOT NULL
);
CREATE TABLE presences (
  name text NOT NULL,
  holder text NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (name, holder)
);
`,
  // Records are not looked into as JSON: PostgreSQL cannot read one that has the character NUL in it.
  `
ALTER TABLE head ADD COLUMN told double precision NOT NULL DEFAULT 0;
UPDATE head SET told = coalesce(
  (SELECT max(created) FROM records WHERE collection = 'events' AND record::text LIKE '%,"test_clock":null}'),
  0
);
`,
  // With a key its one row is found without a sequential scan, which sessions disable.
  `
ALTER TABLE head ADD COLUMN id smallint NOT NULL DEFAULT 1 PRIMARY KEY CHECK (id = 1);
`,
  eventIndexes('records'),
]

/** What the columns of the records of a collection hold: its filters, and the number that lists are bounded by. */
export interface Columns {
  readonly filters: readonly string[]
  readonly numbers: readonly string[]
}

/** The columns of a collection, in their order. */
export function columnsOf(collection: Collection): Columns {
  const { filters, ranges = [], growing } = COLLECTIONS[collection]
  return {
    filters: Object.keys(filters),
    numbers: growing === undefined ? ranges : [...ranges, growing],
  }
}

/** Names how records are laid out in their columns: who writes in another way must not write beside. */
export function layout(): string {
  const columns = COLLECTION_NAMES.map((name) => [name, columnsOf(name)])
  return hash('sha256', JSON.stringify([REVISION, columns]), 'hex')
}

/** The number of an advisory lock with this name. */
export function advisoryLock(name: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x${hash('sha256', name, 'hex').slice(0, 16)}`))
}

/** Brings the schema up to date, one process at a time; refuses one that a newer paycli has changed. */
export async function migrate(connection: Connection, schema: string): Promise<void> {
  await connection.run(BEGIN)
  try {
    await connection.run(`SELECT pg_advisory_xact_lock(${advisoryLock(schema)})`)
    await makeSchema(connection, schema)
    await connection.run(
      `SET LOCAL search_path TO "${schema}";
       SET LOCAL client_min_messages TO warning;
       CREATE TABLE IF NOT EXISTS migrations (version int PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`,
    )
    const [row] = await connection.run('SELECT coalesce(max(version), 0) AS version FROM migrations')
    await applyFrom(connection, Number(row?.version))
    await connection.run('COMMIT')
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => {})
    throw error
  }
}

// Whoever may only use a schema that somebody else made for them may not say CREATE SCHEMA at all.
async function makeSchema(connection: Connection, schema: string): Promise<void> {
  const found = await connection.run(`SELECT 1 FROM pg_namespace WHERE nspname = '${schema}'`)
  if (found.length === 0) await connection.run(`CREATE SCHEMA "${schema}"`)
}

/** Refuses a schema that a newer paycli has changed, also for reading: its tables may mean something else. */
export async function requireKnownVersion(connection: Connection, schema: string): Promise<void> {
  const [row] = await connection.run(
    `SELECT coalesce(max(version), 0) AS version FROM "${schema}".migrations`,
  )
  requireVersion(Number(row?.version))
}

function requireVersion(version: number): void {
  if (version > MIGRATIONS.length) {
    throw new StartupProblem(
      'database_newer',
      `The database has version ${version} of the tables, and this paycli knows ${MIGRATIONS.length}. Start it with a newer paycli.`,
    )
  }
}

async function applyFrom(connection: Connection, version: number): Promise<void> {
  requireVersion(version)
  for (const [at, migration] of MIGRATIONS.entries()) {
    if (at < version) continue
    await connection.run(migration)
    await connection.run(`INSERT INTO migrations (version) VALUES (${at + 1})`)
  }
}

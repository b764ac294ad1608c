import { StartupProblem } from '../../domain/startup-problem.ts'
import { type Connection, isCollision } from './postgres-connection.ts'
import { whenFree, withAdvisoryLock, within } from './postgres-locks.ts'
import { createIndexes, EVENT_INDEXES, type RecordsIndex, recordsTable } from './postgres-schema.ts'

/** Statements that take a short lock, or indexes of records, which are built without blocking writes. */
type Migration = string | readonly RecordsIndex[]

/**
 * The migrations that create the tables; a released one is never changed. All records are in one table, as text
 * that keeps the order of fields; `head` has the numbers given out last, and every transaction that writes locks it.
 */
const MIGRATIONS: readonly Migration[] = [
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
  EVENT_INDEXES,
]

/**
 * Applies the missing migrations, one process at a time, while processes of an older version go on writing. Each one is
 * committed by itself, so that an interrupted start resumes. Refuses a schema that a newer paycli has changed.
 */
export async function migrate(connection: Connection, schema: string): Promise<void> {
  while ((await versionNow(connection, schema)) < MIGRATIONS.length) {
    try {
      await withAdvisoryLock(connection, schema, () => applyNext(connection, schema))
    } catch (error) {
      // A start of 0.1.0 waits for the lock with a snapshot that the new index waits for. The lock is free now: try again.
      if (!isCollision(error)) throw error
    }
  }
}

/** Refuses a schema that a newer paycli has changed, also for reading: its tables may mean something else. */
export async function requireKnownVersion(connection: Connection, schema: string): Promise<void> {
  await versionNow(connection, schema)
}

async function versionNow(connection: Connection, schema: string): Promise<number> {
  const [found] = await connection.ask('SELECT to_regclass($1) IS NOT NULL AS "isThere"', [
    `"${schema}".migrations`,
  ])
  if (found?.['isThere'] !== true) return 0
  const [row] = await connection.run(
    `SELECT coalesce(max(version), 0) AS version FROM "${schema}".migrations`,
  )
  const version = Number(row?.['version'])
  if (version <= MIGRATIONS.length) return version
  throw new StartupProblem(
    'database_newer',
    `The database has version ${version} of the tables, and this paycli knows ${MIGRATIONS.length}. Start it with a newer paycli.`,
  )
}

async function applyNext(connection: Connection, schema: string): Promise<void> {
  const version = await versionNow(connection, schema)
  const migration = MIGRATIONS[version]
  if (migration === undefined) return
  if (version === 0) await within(connection, () => createTables(connection, schema))
  else if (typeof migration === 'string') {
    await whenFree(connection, () => apply(connection, schema, [migration, noteOf(version + 1)]))
  } else {
    for (const index of migration) await buildIndex(connection, schema, index)
    await within(connection, () => apply(connection, schema, [noteOf(version + 1)]))
  }
}

// Nobody writes into an empty schema yet, so everything is created at once.
async function createTables(connection: Connection, schema: string): Promise<void> {
  // A role may be allowed to use a schema and not to create one.
  const found = await connection.ask('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])
  if (found.length === 0) await connection.run(`CREATE SCHEMA "${schema}"`)
  await apply(connection, schema, [
    `SET LOCAL client_min_messages TO warning;
     CREATE TABLE IF NOT EXISTS migrations (version int PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`,
    ...MIGRATIONS.flatMap((migration, at) => [
      typeof migration === 'string' ? migration : createIndexes('records', migration),
      noteOf(at + 1),
    ]),
  ])
}

const noteOf = (version: number) => `INSERT INTO migrations (version) VALUES (${version})`

async function apply(connection: Connection, schema: string, statements: readonly string[]): Promise<void> {
  await connection.run(`SET LOCAL search_path TO "${schema}"`)
  for (const statement of statements) await connection.run(statement)
}

async function buildIndex(
  connection: Connection,
  schema: string,
  { suffix, definition }: RecordsIndex,
): Promise<void> {
  const name = `"${schema}".records_${suffix}`
  const [index] = await connection.ask(
    'SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = to_regclass($1)',
    [name],
  )
  if (index?.['isValid'] === true) return
  // An interrupted start leaves an index that no query uses and every write maintains.
  if (index !== undefined) await connection.run(`DROP INDEX CONCURRENTLY ${name}`)
  await connection.run(`CREATE INDEX CONCURRENTLY records_${suffix} ON "${schema}".records ${definition}`)
}

import { StartupError } from '../../domain/startup-error.ts'
import { hasTable, isCollision, type PostgresConnection } from './postgres-connection.ts'
import { inTransaction, retryUntilUnlocked, withAdvisoryLock } from './postgres-locks.ts'
import { createIndexes, createRecordsTable, EVENT_INDEXES, type RecordsIndex } from './postgres-schema.ts'

/** Statements with short locks, or indexes of records, which are built without blocking writes. */
type Migration = string | readonly RecordsIndex[]

/**
 * The migrations that create the tables. Never change a released one. All records are in one table, as text that keeps the
 * order of fields. `head` holds the last assigned numbers, and every writing transaction locks it.
 */
const MIGRATIONS: readonly Migration[] = [
  `
CREATE TABLE head (
  sequence bigint NOT NULL,
  place bigint NOT NULL,
  layout text NOT NULL
);
INSERT INTO head VALUES (0, 0, '');
${createRecordsTable('records')}
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
  // Compares text instead of JSON, because PostgreSQL cannot parse a record that contains the character NUL.
  `
ALTER TABLE head ADD COLUMN told double precision NOT NULL DEFAULT 0;
UPDATE head SET told = coalesce(
  (SELECT max(created) FROM records WHERE collection = 'events' AND record::text LIKE '%,"test_clock":null}'),
  0
);
`,
  // The key allows an index scan, because sessions disable sequential scans.
  `
ALTER TABLE head ADD COLUMN id smallint NOT NULL DEFAULT 1 PRIMARY KEY CHECK (id = 1);
`,
  EVENT_INDEXES,
]

/**
 * Applies the missing migrations, one process at a time, while processes of an older version continue to write. Each
 * migration commits separately, so an interrupted start resumes. Throws for the schema of a newer version.
 */
export async function migrate(connection: PostgresConnection): Promise<void> {
  while ((await readVersion(connection)) < MIGRATIONS.length) {
    try {
      await withAdvisoryLock(connection, connection.schema, () => applyNext(connection))
    } catch (error) {
      // Version 0.1.0 waits for the lock with a snapshot that the new index waits for. After the deadlock the lock is free.
      if (!isCollision(error)) throw error
    }
  }
}

/** Returns the version of the schema; throws for that of a newer paycli, because its tables may have another meaning. */
export async function readVersion(connection: PostgresConnection): Promise<number> {
  if (!(await hasTable(connection, 'migrations'))) return 0
  const [row] = await connection.exec('SELECT coalesce(max(version), 0) AS version FROM migrations')
  const version = Number(row?.['version'])
  if (version <= MIGRATIONS.length) return version
  throw new StartupError(
    'database_newer',
    `The tables of the database have version ${version}, and this version of paycli supports ${MIGRATIONS.length}. Use a newer version of paycli.`,
  )
}

async function applyNext(connection: PostgresConnection): Promise<void> {
  const version = await readVersion(connection)
  const migration = MIGRATIONS[version]
  if (migration === undefined) return
  if (version === 0) await inTransaction(connection, () => createTables(connection))
  else if (typeof migration === 'string') {
    await retryUntilUnlocked(connection, () => apply(connection, [migration, recordMigration(version + 1)]))
  } else {
    for (const index of migration) await buildIndex(connection, index)
    await inTransaction(connection, () => apply(connection, [recordMigration(version + 1)]))
  }
}

// No process writes to an empty schema, so one transaction creates everything.
async function createTables(connection: PostgresConnection): Promise<void> {
  const { schema } = connection
  // The role may have access to an existing schema without the right to create one.
  const found = await connection.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])
  if (found.length === 0) await connection.exec(`CREATE SCHEMA "${schema}"`)
  await apply(connection, [
    `SET LOCAL client_min_messages TO warning;
     CREATE TABLE IF NOT EXISTS migrations (version int PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`,
    ...MIGRATIONS.flatMap((migration, at) => [
      typeof migration === 'string' ? migration : createIndexes('records', migration),
      recordMigration(at + 1),
    ]),
  ])
}

const recordMigration = (version: number) => `INSERT INTO migrations (version) VALUES (${version})`

async function apply(connection: PostgresConnection, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await connection.exec(statement)
}

async function buildIndex(
  connection: PostgresConnection,
  { suffix, definition }: RecordsIndex,
): Promise<void> {
  const name = `records_${suffix}`
  const [index] = await connection.query(
    'SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = to_regclass($1)',
    [name],
  )
  if (index?.['isValid'] === true) return
  // An interrupted start leaves an invalid index, which no query uses and every write updates.
  if (index !== undefined) await connection.exec(`DROP INDEX CONCURRENTLY ${name}`)
  await connection.exec(`CREATE INDEX CONCURRENTLY ${name} ON records ${definition}`)
}

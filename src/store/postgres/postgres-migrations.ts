import { DEFAULT_SANDBOX } from '../../domain/sandboxes.ts'
import { StartupError } from '../../domain/startup-error.ts'
import { hasTable, type PostgresConnection } from './postgres-connection.ts'
import { inTransaction, retryUntilUnlocked, withAdvisoryLock } from './postgres-locks.ts'
import { COORDINATION_TABLES, TABLES } from './postgres-schema.ts'

/**
 * The statements that lead from each version of the tables to the next one, from version 1 on. They need only short locks.
 * The layout of `records` is migrated separately. Never change a released one.
 */
const MIGRATIONS: readonly string[] = [
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
  // Version 4 built indexes that the layout with sandboxes contains.
  '',
  // The tables `leases` and `presences` stay: after a heartbeat there, an older server reports the new layout.
  `
ALTER TABLE head DROP CONSTRAINT head_pkey;
ALTER TABLE head ALTER COLUMN id DROP NOT NULL, ALTER COLUMN id DROP DEFAULT,
  ADD COLUMN sandbox text NOT NULL DEFAULT '${DEFAULT_SANDBOX}', ADD COLUMN is_deleted boolean NOT NULL DEFAULT false,
  ADD PRIMARY KEY (sandbox);
ALTER TABLE head ALTER COLUMN sandbox DROP DEFAULT;
${COORDINATION_TABLES}
`,
]

const NEWEST_VERSION = MIGRATIONS.length + 1

/**
 * Applies the missing migrations, one process at a time, while processes of an older version continue to write. Each
 * migration commits separately, so an interrupted start resumes. Throws for the schema of a newer version.
 */
export async function migrate(connection: PostgresConnection): Promise<void> {
  while ((await readVersion(connection)) < NEWEST_VERSION)
    await withAdvisoryLock(connection, connection.schema, () => applyNext(connection))
}

/** Returns the version of the schema; throws for that of a newer paycli, because its tables may have another meaning. */
export async function readVersion(connection: PostgresConnection): Promise<number> {
  if (!(await hasTable(connection, 'migrations'))) return 0
  const [row] = await connection.exec('SELECT coalesce(max(version), 0) AS version FROM migrations')
  const version = Number(row?.['version'])
  if (version <= NEWEST_VERSION) return version
  throw new StartupError(
    'database_newer',
    `The tables of the database have version ${version}, and this version of paycli supports ${NEWEST_VERSION}. Use a newer version of paycli.`,
  )
}

async function applyNext(connection: PostgresConnection): Promise<void> {
  const version = await readVersion(connection)
  if (version === NEWEST_VERSION) return
  if (version === 0) return inTransaction(connection, () => createTables(connection))
  await retryUntilUnlocked(connection, () =>
    connection.exec(`${MIGRATIONS[version - 1]}; ${recordMigration(version + 1)}`),
  )
}

// No process writes to an empty schema, so one transaction creates everything.
async function createTables(connection: PostgresConnection): Promise<void> {
  const { schema } = connection
  // The role may have access to an existing schema without the right to create one.
  const found = await connection.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])
  if (found.length === 0) await connection.exec(`CREATE SCHEMA "${schema}"`)
  const versions = Array.from({ length: NEWEST_VERSION }, (_, at) => recordMigration(at + 1))
  await connection.exec(
    `SET LOCAL client_min_messages TO warning;
     CREATE TABLE IF NOT EXISTS migrations (version int PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());
     ${TABLES}; ${versions.join('; ')}`,
  )
}

const recordMigration = (version: number) => `INSERT INTO migrations (version) VALUES (${version})`

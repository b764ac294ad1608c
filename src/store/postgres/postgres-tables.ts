import { StartupError } from '../../domain/core/startup-error.ts'
import { hasTable, type PostgresConnection } from './postgres-connection.ts'
import { runInTransaction, withAdvisoryLock } from './postgres-locks.ts'
import { CREATE_DATABASE_TABLES, DATABASE_FORMAT } from './postgres-schema.ts'

/** Creates the tables of an empty database, one process at a time. Throws for tables of another version of paycli. */
export async function ensureTables(connection: PostgresConnection): Promise<void> {
  if (await hasTable(connection, 'head')) return requireDatabaseFormat(connection)
  await withAdvisoryLock(connection, connection.schema, async () => {
    if (!(await hasTable(connection, 'head')))
      await runInTransaction(connection, () => createTables(connection))
  })
  await requireDatabaseFormat(connection)
}

/** Throws when another version of paycli, whose records or columns have another meaning, created the tables. */
export async function requireDatabaseFormat(connection: PostgresConnection): Promise<void> {
  const isKnown = await hasTable(connection, 'format')
  const [row] = isKnown ? await connection.exec('SELECT name FROM format') : []
  if (row?.['name'] === DATABASE_FORMAT) return
  throw new StartupError(
    'database_format',
    'Another version of paycli created the tables of this database, in a format that this version does not read. Nothing was changed. Use the installation that created them, or another schema such as ?schema=staging2.',
  )
}

async function createTables(connection: PostgresConnection): Promise<void> {
  const { schema } = connection
  // Do not create an existing schema, because the role may lack the right to create schemas.
  const found = await connection.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])
  if (found.length === 0) await connection.exec(`CREATE SCHEMA "${schema}"`)
  await connection.exec(CREATE_DATABASE_TABLES)
}

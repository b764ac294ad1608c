import type { Database } from '../../../src/store/port/database.ts'
import { dropDatabase, newDatabaseUrl, stopOwnPostgres } from '../../support/postgres.ts'
import type { OpenedDatabase } from '../fixture.ts'
import { databaseConformance } from '../port/database-conformance.ts'
import { openDatabaseAt } from './postgres-stores.ts'

async function open(): Promise<OpenedDatabase> {
  const url = await newDatabaseUrl()
  let database: Database = await openDatabaseAt(url)
  return {
    database,
    async reopen() {
      await database.close()
      database = await openDatabaseAt(url)
      return database
    },
    async dispose() {
      await database.close()
      await dropDatabase(url)
    },
  }
}

databaseConformance('store/postgres-database', { storages: ['durable'], open, end: stopOwnPostgres })

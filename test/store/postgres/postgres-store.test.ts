import { openPostgresDatabase } from '../../../src/store/postgres/postgres-database.ts'
import { dropDatabase, newDatabaseUrl, stopOwnPostgres } from '../../support/postgres.ts'
import type { OpenedStore } from '../fixture.ts'
import { storeConformance } from '../port/conformance.ts'
import '../../support/sandbox-statements.ts'

const PROPERTY_RUNS = 15
let names = 0

async function open(): Promise<OpenedStore> {
  const url = await newDatabaseUrl()
  const openOnce = async () => {
    names += 1
    return (await openPostgresDatabase({ url, newSuffix: () => `test-${names}` })).defaultStore
  }
  let store = await openOnce()
  return {
    store,
    async reopen() {
      await store.close()
      store = await openOnce()
      return store
    },
    async dispose() {
      await store.close()
      await dropDatabase(url)
    },
  }
}

storeConformance('store/postgres', open, { runs: PROPERTY_RUNS, end: stopOwnPostgres })

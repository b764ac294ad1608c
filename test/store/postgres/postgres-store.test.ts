import { dropDatabase, newDatabaseUrl, stopOwnPostgres } from '../../support/postgres.ts'
import type { OpenedStore } from '../fixture.ts'
import { storeConformance } from '../port/conformance.ts'
import { openAt } from './postgres-stores.ts'

const PROPERTY_RUNS = 15

async function open(): Promise<OpenedStore> {
  const url = await newDatabaseUrl()
  let store = await openAt(url)
  return {
    store,
    async reopen() {
      await store.close()
      store = await openAt(url)
      return store
    },
    async dispose() {
      await store.close()
      await dropDatabase(url)
    },
  }
}

storeConformance('store/postgres', open, { runs: PROPERTY_RUNS, end: stopOwnPostgres })

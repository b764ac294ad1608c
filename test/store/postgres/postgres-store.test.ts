import { emptyDatabase, newDatabaseUrl, stopOwnPostgres } from '../../support/postgres.ts'
import type { OpenedStore } from '../fixture.ts'
import { storeConformance } from '../port/conformance.ts'
import { openAt } from './postgres-stores.ts'

const PROPERTY_RUNS = 15

/** Databases that tests have left, for the next ones: creating the tables takes longer than most tests. */
const spares: string[] = []

async function open(): Promise<OpenedStore> {
  const url = spares.pop() ?? (await newDatabaseUrl())
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
      await emptyDatabase(url)
      spares.push(url)
    },
  }
}

storeConformance('store/postgres', open, { runs: PROPERTY_RUNS, end: stopOwnPostgres })

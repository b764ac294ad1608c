import type { Store } from '../../../src/store/port/store.ts'
import { emptyDatabase, newDatabaseUrl, stopOwnPostgres } from '../../support/postgres.ts'
import type { OpenedStore } from '../fixture.ts'
import { storeConformance } from '../port/conformance.ts'
import { openAt } from './postgres-stores.ts'

const PROPERTY_RUNS = 15

interface Place {
  readonly url: string
  store: Store
}

/** Empty, open databases for the next tests: opening a database takes longer than most tests. */
const spares: Place[] = []

async function openNew(): Promise<Place> {
  const url = await newDatabaseUrl()
  return { url, store: await openAt(url) }
}

async function open(): Promise<OpenedStore> {
  const place = spares.pop() ?? (await openNew())
  return {
    store: place.store,
    async reopen() {
      await place.store.close()
      place.store = await openAt(place.url)
      return place.store
    },
    async dispose() {
      await emptyDatabase(place.url)
      spares.push(place)
    },
  }
}

async function end(): Promise<void> {
  for (const { store } of spares) await store.close()
  await stopOwnPostgres()
}

storeConformance('store/postgres', open, { runs: PROPERTY_RUNS, end })

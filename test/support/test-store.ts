import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createMemoryStore } from '../../src/store/memory.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { newFolder } from './folders.ts'
import { newDatabaseUrl, stopOwnPostgres } from './postgres.ts'
import { afterEachSuite } from './suite.ts'
import { testBackend } from './test-backend.ts'

/** A test may make hundreds of stores and leave them; so many are kept open. */
const MAX_OPEN = 4

/** Where a new, empty database of this run is: null for memory. */
export async function newDatabase(): Promise<string | null> {
  switch (testBackend()) {
    case 'memory':
      return null
    case 'lowdb':
      return join(newFolder(), 'paycli.json')
    case 'postgres':
      return newDatabaseUrl()
  }
}

/** A new, empty store of the backend of this run, opened when it is used for the first time. */
export function createTestStore(): Store {
  return testBackend() === 'memory' ? createMemoryStore() : createLazyStore()
}

/** Those that are open, the one that was used last at the end. */
const open = new Set<LazyStore>()

afterEachSuite(async () => {
  for (const store of [...open]) await store.close()
  await stopOwnPostgres()
})

interface LazyStore {
  readonly close: () => Promise<void>
}

function createLazyStore(): Store {
  const place = newDatabase()
  let opening: Promise<Store> | null = null
  const self: LazyStore = {
    async close() {
      open.delete(self)
      const store = await opening
      opening = null
      await store?.close()
    },
  }

  async function used(): Promise<Store> {
    open.delete(self)
    open.add(self)
    const [oldest] = open
    if (open.size > MAX_OPEN && oldest !== undefined && oldest !== self) await oldest.close()
    opening ??= place.then((file) =>
      openStore({
        file,
        newSuffix: () => randomBytes(12).toString('hex'),
        clockwork: { pause: () => new Promise(setImmediate), monotonicMs: () => performance.now() },
        holder: { pid: process.pid, url: 'a test' },
      }),
    )
    return opening
  }

  return {
    get: async (collection, id) => (await used()).get(collection, id),
    list: async (collection, query) => (await used()).list(collection, query),
    due: async (queue, until, limit) => (await used()).due(queue, until, limit),
    oldest: async (collection, limit, after) => (await used()).oldest(collection, limit, after),
    count: async (collection) => (await used()).count(collection),
    newestSequence: async () => (await used()).newestSequence(),
    transact: async (work) => (await used()).transact(work),
    close: () => self.close(),
  }
}

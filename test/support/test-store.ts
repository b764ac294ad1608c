import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createMemoryStore } from '../../src/store/memory/memory-store.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/port/store.ts'
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

/** Whether the suites so far are done, and no store was made since. */
let isOver = false

afterEachSuite(async () => {
  isOver = true
  for (const store of [...open]) await store.close()
  await stopOwnPostgres()
})

interface LazyStore {
  readonly close: () => Promise<void>
}

function createLazyStore(): Store {
  isOver = false
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
        scheduling: {
          yieldToEventLoop: () => new Promise(setImmediate),
          monotonicMs: () => performance.now(),
        },
        holder: { pid: process.pid, url: 'a test' },
      }),
    )
    return opening
  }

  async function through<T>(ask: (store: Store) => Promise<T>): Promise<T> {
    try {
      return await ask(await used())
    } finally {
      // Whoever was cut off may still ask when everything was closed; that must not keep the process from its end.
      if (isOver) await self.close()
    }
  }

  return {
    get: (collection, id) => through((store) => store.get(collection, id)),
    list: (collection, query) => through((store) => store.list(collection, query)),
    listDue: (queue, until, limit) => through((store) => store.listDue(queue, until, limit)),
    listOldest: (collection, limit, after) => through((store) => store.listOldest(collection, limit, after)),
    count: (collection) => through((store) => store.count(collection)),
    newestSequence: () => through((store) => store.newestSequence()),
    transact: (work) => through((store) => store.transact(work)),
    close: () => self.close(),
  }
}

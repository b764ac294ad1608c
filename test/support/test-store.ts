import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createMemoryStore } from '../../src/store/memory/memory-store.ts'
import { openDatabase } from '../../src/store/open-database.ts'
import type { Store } from '../../src/store/port/store.ts'
import { newFolder } from './folders.ts'
import { emptyDatabase, newDatabaseUrl, stopOwnPostgres } from './postgres.ts'
import { recordStore } from './store-record.ts'
import { afterEachSuite, aroundEachTest } from './suite.ts'
import { testBackend } from './test-backend.ts'

/** Maximum number of stores that are open at the same time. A test may create hundreds of stores. */
const MAX_OPEN = 4

/** Returns the file or URL of a new, empty database of this run; null for memory. */
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

/**
 * Returns a new, empty store of the backend of this run. The store opens when it is used for the first time, and again when
 * it is used after `close()`. A closed memory store keeps its records.
 */
export function createTestStore(): Store {
  if (testBackend() !== 'memory') return createLazyStore()
  const memory = { ...createMemoryStore(), close: async () => {} }
  const { PAYCLI_TEST_RECORD: file } = process.env
  if (file === undefined) return memory
  const { store, save } = recordStore(memory, file)
  scopes.at(-1)?.add({ close: memory.close, release: async () => save() })
  return store
}

interface OpenedStore {
  readonly file: string | null
  readonly store: Store
}

interface LazyStore {
  readonly close: () => Promise<void>
  /** Ends the use of the store. Later calls reject. */
  readonly release: () => Promise<void>
}

/** Stores in use that are open, the most recently used store last. */
const open = new Set<LazyStore>()
/** Stores in use: the stores of the suite, of its test, and of the case of a property in that test. */
const scopes: Set<LazyStore>[] = [new Set()]
/**
 * Open, empty PostgreSQL stores for the next tests: opening a store takes a hundred times as long as emptying a store.
 */
const spares: OpenedStore[] = []

/** Starts the use of the stores that are created from now on. */
export function enterStoreScope(): void {
  scopes.push(new Set())
}

/** Ends the use of the stores that were created since the last `enterStoreScope()`. */
export async function leaveStoreScope(): Promise<void> {
  for (const lazy of scopes.pop() ?? []) await lazy.release()
  if (scopes.length === 0) scopes.push(new Set())
}

aroundEachTest({ enter: enterStoreScope, leave: leaveStoreScope })
afterEachSuite(async () => {
  await leaveStoreScope()
  for (const { store } of spares.splice(0)) await store.close()
  await stopOwnPostgres()
})

async function openNewStore(): Promise<OpenedStore> {
  const spare = spares.pop()
  return spare ?? openAt(await newDatabase())
}

async function openAt(file: string | null): Promise<OpenedStore> {
  const { defaultStore: store } = await openDatabase({
    file,
    newSuffix: () => randomBytes(12).toString('hex'),
    scheduling: {
      yieldToEventLoop: () => new Promise(setImmediate),
      monotonicMs: () => performance.now(),
    },
    holder: { pid: process.pid, url: 'a test' },
  })
  return { file, store }
}

async function recycle({ file, store }: OpenedStore): Promise<void> {
  if (testBackend() !== 'postgres' || file === null || spares.length === MAX_OPEN) return store.close()
  await emptyDatabase(file)
  spares.push({ file, store })
}

function createLazyStore(): Store {
  let opening: Promise<OpenedStore> | null = null
  /** The file or URL of the records; null before the store was opened. */
  let place: string | null = null
  let current: Store | null = null
  let calls = 0
  let isReleased = false
  const self: LazyStore = {
    async close() {
      open.delete(self)
      const opened = await opening
      opening = null
      await opened?.store.close()
    },
    async release() {
      isReleased = true
      open.delete(self)
      const opened = await opening
      opening = null
      if (opened === null) return
      // A call that did not settle may still write, so no other test may use the database.
      await (calls > 0 ? opened.store.close() : recycle(opened))
    },
  }
  scopes.at(-1)?.add(self)

  async function used(): Promise<Store> {
    if (isReleased) throw new Error('a store was used after the end of its test')
    open.delete(self)
    open.add(self)
    const [oldest] = open
    if (open.size > MAX_OPEN && oldest !== undefined && oldest !== self) await oldest.close()
    opening ??= place === null ? openNewStore() : openAt(place)
    const { file, store } = await opening
    place = file
    current = store
    return store
  }

  async function through<T>(ask: (store: Store) => Promise<T>): Promise<T> {
    calls += 1
    try {
      return await ask(await used())
    } finally {
      calls -= 1
    }
  }

  return {
    get: (collection, id) => through((store) => store.get(collection, id)),
    list: (collection, query) => through((store) => store.list(collection, query)),
    listDue: (queue, until, limit) => through((store) => store.listDue(queue, until, limit)),
    listOldest: (collection, limit, after) => through((store) => store.listOldest(collection, limit, after)),
    count: (collection) => through((store) => store.count(collection)),
    newestSequence: () => through((store) => store.newestSequence()),
    capture: () => through((store) => store.capture()),
    // Does not open the store, because a store that was never opened is empty.
    usage: () => current?.usage() ?? { records: 0, bytes: 0 },
    nextDeadline: () => through((store) => store.nextDeadline()),
    transact: (work) => through((store) => store.transact(work)),
    close: () => self.close(),
  }
}

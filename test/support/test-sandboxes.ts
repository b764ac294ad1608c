import { DomainError } from '../../src/domain/core/domain-error.ts'
import { addSandboxIdToKey } from '../../src/domain/sandboxes/api-keys.ts'
import {
  createDefaultSandbox,
  DEFAULT_SANDBOX,
  type Sandbox,
  type SandboxCounts,
  type SandboxStorage,
} from '../../src/domain/sandboxes/sandboxes.ts'
import type { Runtime } from '../../src/engine/runtime.ts'
import { registerApiKey } from '../../src/engine/sandbox-credentials.ts'
import type { SandboxManager } from '../../src/engine/sandbox-manager.ts'
import { createMemorySandboxStorage } from '../../src/store/memory/memory-sandboxes.ts'
import { createMemoryStore } from '../../src/store/memory/memory-store.ts'
import { COLLECTION_NAMES, COLLECTION_RULES } from '../../src/store/port/collections.ts'
import type { Store, StoreContents } from '../../src/store/port/store.ts'
import { CHECKOUT_URL, START } from './rule-context.ts'

const OBJECT_COLLECTIONS = COLLECTION_NAMES.filter(
  (name) => COLLECTION_RULES[name].idPrefix !== null && !['api_keys', 'events', 'sandboxes'].includes(name),
)

/** The sandboxes besides the default sandbox of a test, with contents in memory. */
export interface TestSandboxes {
  /** The manager for the default sandbox. */
  readonly manager: SandboxManager
  /** The ids of the sandboxes with contents. */
  contents(): readonly string[]
  /** Returns the runtime of the API keys of a sandbox. */
  runtimeOf(id: string): Runtime
}

/** Creates sandboxes besides the default sandbox, whose runtime `registry` returns. */
export function createTestSandboxes(
  registry: () => Runtime,
  storages: readonly SandboxStorage[],
): TestSandboxes {
  const database = createMemorySandboxStorage({
    yieldToEventLoop: async () => {},
    monotonicMs: () => 0,
  })
  const stores = new Map<string, Store>()
  const origins = new Map<string, StoreContents>()

  async function fill({ id, storage }: Sandbox, contents: StoreContents): Promise<Store> {
    await database.writeSandbox({ id, storage }, contents)
    const store = await database.openSandbox({ id, storage })
    stores.set(id, store)
    return store
  }

  async function load(from: string | null): Promise<StoreContents> {
    if (from === null) return createMemoryStore().capture()
    const source = from === DEFAULT_SANDBOX ? registry().store : stores.get(from)
    if (source === undefined) {
      throw new DomainError('resource_missing', `No such sandbox or state: '${from}'.`, { param: 'from' })
    }
    const { records, sequence } = await source.capture()
    const own = { api_keys: [], api_key_digests: [], sandboxes: [], idempotency_keys: [] }
    return { records: { ...records, ...own }, sequence }
  }

  const countsOf = async ({ id }: Sandbox): Promise<SandboxCounts> => {
    const { records } = await (stores.get(id) ?? registry().store).capture()
    return {
      objects: OBJECT_COLLECTIONS.reduce((sum, name) => sum + records[name].length, 0),
      events: records.events.length,
    }
  }

  async function remove({ id, storage }: Sandbox): Promise<void> {
    stores.delete(id)
    await database.deleteSandbox({ id, storage })
  }

  const managerOf = (current: string): SandboxManager => ({
    storages,
    current,
    defaultSandbox: async () => createDefaultSandbox(START, storages[0] ?? 'memory'),
    checkoutUrlOf: (id) => (id === DEFAULT_SANDBOX ? CHECKOUT_URL : `${CHECKOUT_URL}/${id}`),
    async prepare(sandbox, { apiKey }) {
      const origin = await load(sandbox.from)
      origins.set(sandbox.id, origin)
      await registerApiKey({ ...registry(), store: await fill(sandbox, origin) }, apiKey)
      return countsOf(sandbox)
    },
    async reset(sandbox, to) {
      const origin = to === 'origin' ? origins.get(sandbox.id) : undefined
      await fill(sandbox, origin ?? (await load(null)))
      return countsOf(sandbox)
    },
    remove,
    removeLater: remove,
    applyExpiry() {},
    countsOf,
  })

  return {
    manager: managerOf(DEFAULT_SANDBOX),
    contents: () => [...stores.keys()],
    runtimeOf(id) {
      const runtime = registry()
      const store = stores.get(id)
      if (store === undefined) throw new Error(`no contents of ${id}`)
      const newApiKey: Runtime['newApiKey'] = (kind) => addSandboxIdToKey(runtime.newApiKey(kind), id)
      return { ...runtime, store, newApiKey, sandboxes: managerOf(id), registry: runtime }
    },
  }
}

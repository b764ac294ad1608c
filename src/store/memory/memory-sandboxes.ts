import type { Database, SandboxLocation } from '../port/database.ts'
import type { Store, StoreContents } from '../port/store.ts'
import { indexContents } from './index-contents.ts'
import { MemoryRecords } from './memory-records.ts'
import { createMemoryStore } from './memory-store.ts'
import type { SliceScheduling } from './slices.ts'

/** Creates the part of a database that stores sandboxes in memory until they are deleted. */
export function createMemorySandboxStorage(
  scheduling: SliceScheduling,
): Omit<Database, 'defaultStore' | 'storages' | 'files' | 'close'> {
  // Contents are indexed only when their store is opened, because most stored origins of sandboxes are never opened.
  const kept = new Map<string, MemoryRecords | StoreContents>()
  return {
    async openSandbox({ id }: SandboxLocation): Promise<Store> {
      const found = kept.get(id) ?? new MemoryRecords()
      const records = found instanceof MemoryRecords ? found : await indexContents(found, scheduling)
      kept.set(id, records)
      return createMemoryStore(records, scheduling)
    },
    async writeSandbox({ id }: SandboxLocation, contents: StoreContents): Promise<void> {
      kept.set(id, contents)
    },
    listSandboxes: async () => Array.from(kept.keys(), (id) => ({ id, storage: 'memory' })),
    async deleteSandbox({ id }: SandboxLocation): Promise<void> {
      kept.delete(id)
    },
  }
}

/** Creates a database that stores all data only in memory, for tests and `serve --memory`. */
export function createMemoryDatabase(scheduling: SliceScheduling): Database {
  const defaultStore = createMemoryStore(new MemoryRecords(), scheduling)
  const sandboxes = createMemorySandboxStorage(scheduling)
  return { defaultStore, storages: ['memory'], ...sandboxes, close: () => defaultStore.close() }
}

import type { Store } from '../port/store.ts'
import { createRecordStore } from './record-store.ts'
import { Records } from './records.ts'

// Only records that were loaded from a file are parsed in slices.
const NO_SLICES = { yieldToEventLoop: async () => {}, monotonicMs: () => 0 }

/** Creates a store that keeps its data only in memory, for tests and `serve --memory`. */
export function createMemoryStore(records = new Records()): Store {
  return createRecordStore(records, {
    nextTransaction: () => 0,
    persist: async () => {},
    isDurable: () => true,
    waitUntilSettled: async () => true,
    scheduling: NO_SLICES,
    close: async () => {},
  })
}

import type { Store } from '../port/store.ts'
import { MemoryRecords } from './memory-records.ts'
import { createRecordStore } from './record-store.ts'
import type { SliceScheduling } from './slices.ts'

const NO_SLICES: SliceScheduling = { yieldToEventLoop: async () => {}, monotonicMs: () => 0 }

/** Creates a store that stores its data only in memory, for tests and `serve --memory`. */
export function createMemoryStore(records = new MemoryRecords(), scheduling = NO_SLICES): Store {
  return createRecordStore(records, {
    nextTransaction: () => 0,
    persist: async () => {},
    isDurable: () => true,
    waitUntilSettled: async () => true,
    scheduling,
    close: async () => {},
  })
}

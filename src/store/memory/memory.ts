import type { Store } from '../port/store.ts'
import { createRecordStore } from './record-store.ts'
import { Records } from './records.ts'

/** A store that forgets everything when the process ends: for tests and `serve --memory`. */
export function createMemoryStore(): Store {
  return createRecordStore(new Records(), {
    next: () => 0,
    persist: async () => {},
    isDurable: () => true,
    settled: async () => true,
    close: async () => {},
  })
}

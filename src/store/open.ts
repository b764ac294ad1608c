import { openLowdbStore } from './lowdb.ts'
import { createMemoryStore } from './memory.ts'
import type { Store } from './store.ts'

export interface StoreOptions {
  /** Path of the database file, or null to keep everything in memory only. */
  readonly file: string | null
  readonly newSuffix: () => string
}

/** Opens the store that the options name; the caller closes it. */
export async function openStore({ file, newSuffix }: StoreOptions): Promise<Store> {
  return file === null ? createMemoryStore() : openLowdbStore({ file, newSuffix })
}

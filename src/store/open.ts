import { existsSync } from 'node:fs'
import { journalFile } from './journal.ts'
import { type LowdbOptions, openLowdbStore } from './lowdb.ts'
import { createMemoryStore } from './memory.ts'
import type { Store } from './store.ts'

export type StoreOptions = Omit<LowdbOptions, 'file'> & {
  /** Path of the database file, or null to keep everything in memory only. */
  readonly file: string | null
}

/** Opens the store that the options name; the caller closes it. */
export async function openStore({ file, ...options }: StoreOptions): Promise<Store> {
  return file === null ? createMemoryStore() : openLowdbStore({ ...options, file })
}

/** Whether there is a database at this path; one that was killed early is a journal alone. */
export function hasDatabase(file: string): boolean {
  return existsSync(file) || existsSync(journalFile(file, 0))
}

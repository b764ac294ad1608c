import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { openLowdbStore } from '../../src/store/file/lowdb.ts'
import type { Store } from '../../src/store/port/store.ts'
import type { Pair } from './records.ts'

/** Opens a database file as the daemon does; its journal may be folded in at another size. */
export function openDatabase(file: string, minJournalBytes?: number): Promise<Store> {
  return openLowdbStore({
    file,
    newSuffix: randomUUID,
    clockwork: { pause: () => setImmediate(), monotonicMs: () => performance.now() },
    holder: { pid: process.pid, url: 'http://127.0.0.1' },
    ...(minJournalBytes === undefined ? {} : { minJournalBytes }),
  })
}

/** Stores records with their events in one transaction. */
export async function storePairs(store: Store, pairs: readonly Pair[]): Promise<void> {
  await store.transact(async () => ({
    result: null,
    writes: pairs.map(({ record }) => ({ put: record })),
    events: pairs.map(({ event }) => event),
  }))
}

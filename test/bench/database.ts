import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { openLowdbDatabase } from '../../src/store/file/lowdb-database.ts'
import type { Store } from '../../src/store/port/store.ts'
import type { RecordWithEvent } from './records.ts'

/** Opens a database file as the daemon does, optionally with another journal size limit. */
export async function openDatabase(file: string, minJournalBytes?: number): Promise<Store> {
  const database = await openLowdbDatabase({
    file,
    newSuffix: randomUUID,
    scheduling: { yieldToEventLoop: () => setImmediate(), monotonicMs: () => performance.now() },
    holder: { pid: process.pid, url: 'http://127.0.0.1' },
    ...(minJournalBytes === undefined ? {} : { minJournalBytes }),
  })
  return database.defaultStore
}

/** Stores records with their events in one transaction. */
export async function storePairs(store: Store, pairs: readonly RecordWithEvent[]): Promise<void> {
  await store.transact(async () => ({
    result: null,
    writes: pairs.map(({ record }) => ({ put: record })),
    events: pairs.map(({ event }) => event),
  }))
}

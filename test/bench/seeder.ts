import { stat } from 'node:fs/promises'
import type { Store } from '../../src/store/port/store.ts'
import { openDatabase, storePairs } from './database.ts'
import { type RecordMix, type RecordWithEvent, recordWithEvent } from './records.ts'

const PAIRS_PER_TRANSACTION = 1000
const TRANSACTIONS_AT_ONCE = 2000
const NEVER = Number.MAX_SAFE_INTEGER
/** As in the store: a journal is compacted when it is larger than this limit and than the snapshot. */
const LEAST_JOURNAL_BYTES = 64 * 1024 * 1024
const FILLER_CHARACTERS = 5000
const FILLERS_PER_TRANSACTION = 200
/** Bytes to write until the journal outgrows the snapshot: a few seconds of load. */
const MARGIN_BYTES = 6 * 1024 * 1024

export interface SetOptions {
  readonly file: string
  readonly size: number
  readonly blend: RecordMix
}

/** Fills databases directly through the store interface. */
export async function openSeeder(_options: Record<string, never>) {
  return {
    /** Creates a database as a clean stop leaves it: one snapshot. */
    async snapshot(options: SetOptions): Promise<void> {
      const store = await openDatabase(options.file, NEVER)
      for (const pairs of chunksOf(options, PAIRS_PER_TRANSACTION)) await storePairs(store, pairs)
      await store.close()
    },
    /** Creates a database without a snapshot, one transaction per record; the caller must kill this process afterwards. */
    async journal(options: SetOptions): Promise<void> {
      const store = await openDatabase(options.file, NEVER)
      for (const pairs of chunksOf(options, TRANSACTIONS_AT_ONCE)) {
        await Promise.all(pairs.map((pair) => storePairs(store, [pair])))
      }
    },
    /** Fills the journal until just below the compaction limit; the caller must kill this process afterwards. */
    async almostDue(file: string): Promise<void> {
      const { size } = await stat(file)
      const store = await openDatabase(file, NEVER)
      await fillJournal(store, Math.max(LEAST_JOURNAL_BYTES, size) - MARGIN_BYTES)
    },
  }
}

function* chunksOf({ size, blend }: SetOptions, length: number): Generator<RecordWithEvent[]> {
  for (let from = 0; from < size; from += length) {
    const count = Math.min(length, size - from)
    yield Array.from({ length: count }, (_, at) => recordWithEvent(from + at, { blend, size }))
  }
}

async function fillJournal(store: Store, bytes: number): Promise<void> {
  const { record } = recordWithEvent(0, { blend: 'customers', size: 1 })
  const put = { ...record, description: 'x'.repeat(FILLER_CHARACTERS) }
  const line = FILLERS_PER_TRANSACTION * (JSON.stringify(put).length + '["p",],'.length)
  for (let written = 0; written + line < bytes; written += line) {
    const writes = Array.from({ length: FILLERS_PER_TRANSACTION }, () => ({ put }))
    await store.transact(async () => ({ result: null, writes, events: [] }))
  }
}

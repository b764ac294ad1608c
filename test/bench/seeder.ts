import { openDatabase, storePairs } from './database.ts'
import { type RecordMix, type RecordWithEvent, recordWithEvent } from './records.ts'

const PAIRS_PER_TRANSACTION = 1000
const TRANSACTIONS_AT_ONCE = 2000
const NEVER = Number.MAX_SAFE_INTEGER

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
  }
}

function* chunksOf({ size, blend }: SetOptions, length: number): Generator<RecordWithEvent[]> {
  for (let from = 0; from < size; from += length) {
    const count = Math.min(length, size - from)
    yield Array.from({ length: count }, (_, at) => recordWithEvent(from + at, { blend, size }))
  }
}

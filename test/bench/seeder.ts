import { stat } from 'node:fs/promises'
import type { Store } from '../../src/store/port/store.ts'
import { openDatabase, storePairs } from './database.ts'
import { type Blend, type Pair, pairOf } from './records.ts'

const PAIRS_PER_TRANSACTION = 1000
const TRANSACTIONS_AT_ONCE = 2000
const NEVER = Number.MAX_SAFE_INTEGER
/** As in the store: a journal is folded in when it is larger than this and than the snapshot. */
const LEAST_JOURNAL_BYTES = 64 * 1024 * 1024
const FILLER_CHARACTERS = 5000
const FILLERS_PER_TRANSACTION = 200
/** Left to write before the journal has outgrown the snapshot: some seconds of load. */
const MARGIN_BYTES = 6 * 1024 * 1024

export interface SetOptions {
  readonly file: string
  readonly size: number
  readonly blend: Blend
}

/** Fills databases straight through the port of the store. */
export async function openSeeder(_options: Record<string, never>) {
  return {
    /** A database as a daemon that stopped in order leaves it: one snapshot. */
    async snapshot(options: SetOptions): Promise<void> {
      const store = await openDatabase(options.file, NEVER)
      for (const pairs of chunksOf(options, PAIRS_PER_TRANSACTION)) await storePairs(store, pairs)
      await store.close()
    },
    /** A database with no snapshot yet, one transaction per record; whoever asked must kill this process now. */
    async journal(options: SetOptions): Promise<void> {
      const store = await openDatabase(options.file, NEVER)
      for (const pairs of chunksOf(options, TRANSACTIONS_AT_ONCE)) {
        await Promise.all(pairs.map((pair) => storePairs(store, [pair])))
      }
    },
    /** Fills the journal of a snapshot until it is almost due to be folded in; then kill this process too. */
    async almostDue(file: string): Promise<void> {
      const { size } = await stat(file)
      const store = await openDatabase(file, NEVER)
      await fillJournal(store, Math.max(LEAST_JOURNAL_BYTES, size) - MARGIN_BYTES)
    },
  }
}

function* chunksOf({ size, blend }: SetOptions, length: number): Generator<Pair[]> {
  for (let from = 0; from < size; from += length) {
    const count = Math.min(length, size - from)
    yield Array.from({ length: count }, (_, at) => pairOf(from + at, { blend, size }))
  }
}

async function fillJournal(store: Store, bytes: number): Promise<void> {
  const { record } = pairOf(0, { blend: 'customers', size: 1 })
  const put = { ...record, description: 'x'.repeat(FILLER_CHARACTERS) }
  const line = FILLERS_PER_TRANSACTION * (JSON.stringify(put).length + '["p",],'.length)
  for (let written = 0; written + line < bytes; written += line) {
    const writes = Array.from({ length: FILLERS_PER_TRANSACTION }, () => ({ put }))
    await store.transact(async () => ({ result: null, writes, events: [] }))
  }
}

import { getHeapSpaceStatistics } from 'node:v8'
import { openDatabase, storePairs } from './database.ts'
import { pairOf } from './records.ts'

const PAIRS_PER_TRANSACTION = 1000
const COLLECTIONS_OF_GARBAGE = 3

/** A process that holds the records of a database and nothing else; needs `--expose-gc`. */
export async function holdRecords({ file }: { readonly file: string }) {
  const store = await openDatabase(file)
  return {
    /** Adds customers with their events as requests would. */
    async add(size: number): Promise<void> {
      for (let from = 0; from < size; from += PAIRS_PER_TRANSACTION) {
        const length = Math.min(PAIRS_PER_TRANSACTION, size - from)
        await Promise.all(
          Array.from({ length }, (_, at) =>
            storePairs(store, [pairOf(from + at, { blend: 'customers', size })]),
          ),
        )
      }
    },
    /** Bytes of memory the process has, without its garbage and the room that V8 keeps for more of it. */
    memory(): number {
      for (let at = 0; at < COLLECTIONS_OF_GARBAGE; at += 1) globalThis.gc?.()
      const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
      return process.memoryUsage.rss() - (young?.physical_space_size ?? 0)
    },
  }
}

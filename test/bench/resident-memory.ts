import { openDatabase, storePairs } from './database.ts'
import { recordWithEvent } from './records.ts'

const PAIRS_PER_TRANSACTION = 1000

/** Opens a store and measures the memory of its records; needs `--expose-gc`. */
export async function openResidentMemory({ file }: { readonly file: string }) {
  const store = await openDatabase(file)
  return {
    /** Adds customers with their events as requests would. */
    async add(size: number): Promise<void> {
      for (let from = 0; from < size; from += PAIRS_PER_TRANSACTION) {
        const length = Math.min(PAIRS_PER_TRANSACTION, size - from)
        await Promise.all(
          Array.from({ length }, (_, at) =>
            storePairs(store, [recordWithEvent(from + at, { blend: 'customers', size })]),
          ),
        )
      }
    },
    /** Returns the memory of the process after a garbage collection that returns free memory to the system, in bytes. */
    memory(): number {
      globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
      return process.memoryUsage.rss()
    },
  }
}

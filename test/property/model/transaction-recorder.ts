import { AsyncLocalStorage } from 'node:async_hooks'
import { REAL_TIME_QUEUE } from '../../../src/domain/schedule/deadlines.ts'
import type { Store } from '../../../src/store/port/store.ts'

/** A completed transaction: of one of the concurrent steps, or of a due job in a queue. */
export type RecordedTransaction =
  | { readonly kind: 'asked'; readonly by: number }
  | { readonly kind: 'due'; readonly queue: string }

/** All recorders share this instance, because before Node 24 each AsyncLocalStorage slows down all promises. */
const stepContext = new AsyncLocalStorage<number>()

/** A due job lists few records, and the request to advance a clock lists many to count their billing periods. */
const MAX_JOB_RECORDS = 100

/** Records the order of a store's transactions and the step of each. */
export class TransactionRecorder {
  readonly store: Store
  #seen: RecordedTransaction[] = []
  #lags: readonly number[] = []
  #transactions = 0

  constructor(store: Store) {
    this.store = {
      ...store,
      transact: async (work) => {
        const by = stepContext.getStore() ?? -1
        await this.#heldUp()
        let noted: RecordedTransaction | null = null
        return store.transact(async (reader) => {
          let queue: string | null = null
          const due: typeof reader.listDue = (name, until, limit) => {
            if (limit <= MAX_JOB_RECORDS) queue = name
            return reader.listDue(name, until, limit)
          }
          const note = (isFelt: boolean) => {
            // A transaction that runs again replaces its first run.
            this.#seen = this.#seen.filter((one) => one !== noted)
            noted = queue === null ? { kind: 'asked', by } : { kind: 'due', queue }
            // Record due jobs only if they changed anything.
            if (queue === null || isFelt) this.#seen.push(noted)
          }
          try {
            const made = await work({ ...reader, listDue: due })
            note(made.events.length > 0)
            return made
          } catch (error) {
            note(false)
            throw error
          }
        })
      },
    }
  }

  /** Runs work and records its transactions for a step. */
  runAs<T>(by: number, work: () => Promise<T>): Promise<T> {
    return stepContext.run(by, work)
  }

  /** Delays the following transactions by these numbers of turns, cyclically. */
  setDelays(lags: readonly number[]): void {
    this.#lags = lags
  }

  async #heldUp(): Promise<void> {
    this.#transactions += 1
    const turns = this.#lags[this.#transactions % Math.max(1, this.#lags.length)] ?? 0
    for (let turn = 0; turn < turns; turn += 1) await null
  }

  /** Returns and clears the recorded transactions. */
  takeTransactions(): readonly RecordedTransaction[] {
    const seen = this.#seen
    this.#seen = []
    return seen
  }
}

/** Returns the test clock of a queue, or null for real time. */
export function clockOfQueue(queue: string): string | null {
  return queue === REAL_TIME_QUEUE ? null : queue.slice('clock:'.length)
}

import { AsyncLocalStorage } from 'node:async_hooks'
import { REAL_TIME } from '../../../src/domain/deadlines.ts'
import type { Store } from '../../../src/store/port/store.ts'

/** A transaction that was done: for one of the steps begun together, or what time did of one queue. */
export type Seen =
  | { readonly kind: 'asked'; readonly by: number }
  | { readonly kind: 'due'; readonly queue: string }

/** One for all, because before Node 24 each one that was ever used slows every promise down. */
const who = new AsyncLocalStorage<number>()

/** Sees in which order a store does its transactions, and for whom. */
export class Witness {
  readonly store: Store
  #seen: Seen[] = []
  #lags: readonly number[] = []
  #transactions = 0

  constructor(store: Store) {
    this.store = {
      get: store.get.bind(store),
      list: store.list.bind(store),
      due: store.due.bind(store),
      oldest: store.oldest.bind(store),
      count: store.count.bind(store),
      newestSequence: store.newestSequence.bind(store),
      close: store.close.bind(store),
      transact: async (work) => {
        const by = who.getStore() ?? -1
        await this.#heldUp()
        return store.transact(async (reader) => {
          let queue: string | null = null
          const due: typeof reader.due = (name, ...rest) => {
            queue = name
            return reader.due(name, ...rest)
          }
          const note = (isFelt: boolean) => {
            if (queue === null) this.#seen.push({ kind: 'asked', by })
            // Of what was due, only what came of something is told.
            else if (isFelt) this.#seen.push({ kind: 'due', queue })
          }
          try {
            const made = await work({ ...reader, due })
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

  /** Does some work whose transactions are noted as those of one number. */
  as<T>(by: number, work: () => Promise<T>): Promise<T> {
    return who.run(by, work)
  }

  /** From now on transactions are held up for so many turns, one after the other and round again. */
  holdUp(lags: readonly number[]): void {
    this.#lags = lags
  }

  async #heldUp(): Promise<void> {
    this.#transactions += 1
    const turns = this.#lags[this.#transactions % Math.max(1, this.#lags.length)] ?? 0
    for (let turn = 0; turn < turns; turn += 1) await null
  }

  /** What was seen since the last time this was asked. */
  taken(): readonly Seen[] {
    const seen = this.#seen
    this.#seen = []
    return seen
  }
}

/** The test clock of a queue, null for real time. */
export function clockOfQueue(queue: string): string | null {
  return queue === REAL_TIME ? null : queue.slice('clock:'.length)
}

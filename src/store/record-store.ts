import type { Event } from '../domain/events.ts'
import type { Collection, Collections } from './collections.ts'
import type { Records } from './records.ts'
import type { Commit, Committed, Page, Query, Reader, Store, Write } from './store.ts'

/** One transaction on its way to disk; `undo` takes it back out of memory. */
export interface AppliedBatch {
  readonly writes: readonly Write[]
  readonly events: readonly Event[]
  readonly undo: () => void
}

/** How an in-process store becomes durable. */
export interface Durability {
  /** Resolves when the batch would survive a crash; rejects after undoing it. */
  persist(batch: AppliedBatch): Promise<void>
  /** Resolves when it is known whether all that is visible in memory now stays: false when some of it was undone. */
  settled(): Promise<boolean>
  close(): Promise<void>
}

/** A store over records in memory: transactions run one after the other, answers wait for `durability`. */
export function createRecordStore(records: Records, durability: Durability): Store {
  const reader = createReader(records)
  const turns = createTurns(records, durability)
  let closing: Promise<void> | null = null

  // Nothing that is not on disk yet is told to anyone: what was read waits, and is read again if it was undone.
  async function tell<T>(read: () => T): Promise<T> {
    for (;;) {
      const answer = read()
      if (await durability.settled()) return answer
    }
  }

  return {
    get: <C extends Collection>(collection: C, id: string) =>
      tell(() => records.get(collection, id) as Collections[C] | null),
    list: <C extends Collection>(collection: C, query: Query) =>
      tell(() => records.list(collection, query) as Page<Collections[C]>),
    // Asked before every request, so nobody waits for the news that nothing is due.
    async due(queue, until, limit) {
      const isNothingDue = records.due(queue, until, 1).length === 0
      return isNothingDue ? [] : tell(() => records.due(queue, until, limit))
    },
    async transact<R>(work: (reader: Reader) => Promise<Commit<R>>): Promise<Committed<R>> {
      for (;;) {
        if (closing) throw new Error('The store is closed: nothing more can be stored.')
        const outcome = await turns.take(() => work(reader))
        if ('committed' in outcome) {
          await outcome.durable
          return outcome.committed
        }
        if (await outcome.isSettled) throw outcome.error
      }
    },
    close() {
      closing ??= turns.finished().then(() => durability.close())
      return closing
    },
  }
}

type Outcome<R> =
  | { readonly committed: Committed<R>; readonly durable: Promise<void> }
  | { readonly error: unknown; readonly isSettled: Promise<boolean> }

// One transaction at a time. One that read what was undone before it was done is run again.
function createTurns(records: Records, durability: Durability) {
  let last: Promise<unknown> = Promise.resolve()
  let undone = 0

  function apply<R>({ result, writes, events: unsequenced }: Commit<R>): Outcome<R> {
    const before = records.sequence
    const events = records.numberEvents(unsequenced)
    const all = [...writes, ...events.map((event) => ({ put: event }))]
    const takeBack = records.apply(all, before)
    const undo = () => {
      undone += 1
      takeBack()
    }
    return { committed: { result, events }, durable: durability.persist({ writes: all, events, undo }) }
  }

  async function run<R>(work: () => Promise<Commit<R>>): Promise<Outcome<R>> {
    for (;;) {
      const seen = undone
      try {
        const commit = await work()
        if (seen === undone) return apply(commit)
      } catch (error) {
        // A refusal may rest on something read that is not on disk yet.
        if (seen === undone) return { error, isSettled: durability.settled() }
      }
    }
  }

  return {
    take<R>(work: () => Promise<Commit<R>>): Promise<Outcome<R>> {
      const turn = last.then(() => run(work))
      last = turn
      return turn
    },
    async finished(): Promise<void> {
      await last
    },
  }
}

function createReader(records: Records): Reader {
  return {
    async get<C extends Collection>(collection: C, id: string) {
      return records.get(collection, id) as Collections[C] | null
    },
    async list<C extends Collection>(collection: C, query: Query) {
      return records.list(collection, query) as Page<Collections[C]>
    },
    async due(queue: string, until: number, limit: number) {
      return records.due(queue, until, limit)
    },
  }
}

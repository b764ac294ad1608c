import type { DomainError } from '../../domain/domain-error.ts'
import type { Event } from '../../domain/events.ts'
import type { Collection, Collections } from '../port/collections.ts'
import type { Commit, Committed, Page, Query, Reader, Store, Write } from '../port/store.ts'
import type { Records } from './records.ts'

/** One transaction on its way to disk; `undo` takes it back out of memory. */
export interface AppliedBatch {
  readonly writes: readonly Write[]
  readonly events: readonly Event[]
  readonly undo: () => void
}

/** How an in-process store becomes durable. Transactions have consecutive numbers. */
export interface Durability {
  /** The number of the next transaction. */
  next(): number
  /** Takes a transaction in at once; resolves when it would survive a crash, rejects after undoing it. May throw. */
  persist(batch: AppliedBatch): Promise<void>
  /** Whether a transaction would survive a crash. */
  isDurable(stamp: number): boolean
  /** Resolves when it is known whether a transaction stays: false when it was undone. */
  settled(stamp: number): Promise<boolean>
  /** Why nothing can be stored until the next start, or null. */
  failure?(): DomainError | null
  close(): Promise<void>
}

/** A store over records in memory: transactions run one after the other, answers wait for `durability`. */
export function createRecordStore(records: Records, durability: Durability): Store {
  const turns = createTurns(records, durability)
  let closing: Promise<void> | null = null

  // Nothing that is not on disk yet is told to anyone: what was read waits, and is read again if it was undone.
  async function tell<T>(read: (sight: Sight) => T): Promise<T> {
    for (;;) {
      const sight: Sight = { stamp: 0 }
      const answer = read(sight)
      if (durability.isDurable(sight.stamp) || (await durability.settled(sight.stamp))) return answer
    }
  }

  return {
    get: (collection, id) => tell((sight) => get(records, sight, { collection, id })),
    list: (collection, query) => tell((sight) => list(records, sight, { collection, query })),
    due: async (queue, until, limit) => records.due(queue, until, limit),
    oldest: (collection, limit, after) =>
      tell((sight) => oldest(records, sight, { collection, limit, after })),
    count: (collection) => tell((sight) => count(records, sight, collection)),
    newestSequence: async () => records.sequence,
    failure: () => durability.failure?.() ?? null,
    async transact<R>(work: (reader: Reader) => Promise<Commit<R>>): Promise<Committed<R>> {
      for (;;) {
        if (closing) throw new Error('The store is closed: nothing more can be stored.')
        const outcome = await turns.take(work)
        if ('committed' in outcome) {
          if (await outcome.isKept) return outcome.committed
        } else if (await outcome.isSettled) throw outcome.error
      }
    },
    close() {
      closing ??= turns.finished().then(() => durability.close())
      return closing
    },
  }
}

/** The newest transaction that something read rests on. */
interface Sight {
  stamp: number
}

function get<C extends Collection>(
  records: Records,
  sight: Sight,
  { collection, id }: { readonly collection: C; readonly id: string },
): Collections[C] | null {
  const { record, stamp } = records.look(collection, id)
  if (stamp > sight.stamp) sight.stamp = stamp
  return record as Collections[C] | null
}

function list<C extends Collection>(
  records: Records,
  sight: Sight,
  { collection, query }: { readonly collection: C; readonly query: Query },
): Page<Collections[C]> {
  // What is missing from a list tells as much as what is in it, so it rests on the whole collection.
  sight.stamp = Math.max(sight.stamp, records.lastStamp(collection))
  return records.list(collection, query) as Page<Collections[C]>
}

function oldest<C extends Collection>(
  records: Records,
  sight: Sight,
  {
    collection,
    limit,
    after,
  }: { readonly collection: C; readonly limit: number; readonly after: string | undefined },
): Collections[C][] {
  sight.stamp = Math.max(sight.stamp, records.lastStamp(collection))
  return records.oldest(collection, limit, after) as Collections[C][]
}

function count(records: Records, sight: Sight, collection: Collection): number {
  sight.stamp = Math.max(sight.stamp, records.lastStamp(collection))
  return records.count(collection)
}

function createReader(records: Records, sight: Sight): Reader {
  return {
    get: async (collection, id) => get(records, sight, { collection, id }),
    list: async (collection, query) => list(records, sight, { collection, query }),
    due: async (queue, until, limit) => records.due(queue, until, limit),
    oldest: async (collection, limit, after) => oldest(records, sight, { collection, limit, after }),
    count: async (collection) => count(records, sight, collection),
    newestSequence: async () => records.sequence,
  }
}

type Outcome<R> =
  | { readonly committed: Committed<R>; readonly isKept: Promise<boolean> }
  | { readonly error: unknown; readonly isSettled: Promise<boolean> }

// One transaction at a time. One that read what was undone before it was done is run again.
function createTurns(records: Records, durability: Durability) {
  let last: Promise<unknown> = Promise.resolve()
  let undone = 0

  function apply<R>({ result, writes, events: unsequenced }: Commit<R>, sight: Sight): Outcome<R> {
    const before = records.newest
    const events = records.numberEvents(unsequenced)
    const all = [...writes, ...events.map((event) => ({ put: event }))]
    // It stores nothing, but its result may rest on something read that is not on disk yet.
    if (all.length === 0) return { committed: { result, events }, isKept: durability.settled(sight.stamp) }
    const takeBack = records.apply(all, { before, stamp: durability.next() })
    const undo = () => {
      undone += 1
      takeBack()
    }
    try {
      const persisted = durability.persist({ writes: all, events, undo })
      return { committed: { result, events }, isKept: persisted.then(() => true) }
    } catch (error) {
      takeBack()
      throw error
    }
  }

  async function run<R>(work: (reader: Reader) => Promise<Commit<R>>): Promise<Outcome<R>> {
    for (;;) {
      const seen = undone
      const sight: Sight = { stamp: 0 }
      try {
        const commit = await work(createReader(records, sight))
        if (seen === undone) return apply(commit, sight)
      } catch (error) {
        // A refusal may rest on something read that is not on disk yet.
        if (seen === undone) return { error, isSettled: durability.settled(sight.stamp) }
      }
    }
  }

  return {
    take<R>(work: (reader: Reader) => Promise<Commit<R>>): Promise<Outcome<R>> {
      const turn = last.then(() => run(work))
      last = turn
      return turn
    },
    async finished(): Promise<void> {
      await last
    },
  }
}

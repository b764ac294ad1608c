import type { StoredObject } from '../../domain/core/changes.ts'
import { type Deadline, isRealTimeQueue } from '../../domain/schedule/deadlines.ts'
import { getRecord, type IndexedRecord } from './indexed-record.ts'
import { SortedList } from './sorted-list.ts'

/** A record with the position of its collection in COLLECTION_NAMES. */
interface QueuedRecord {
  readonly entry: IndexedRecord
  readonly collection: number
}

interface DueEntry extends Deadline, QueuedRecord {}

// A snapshot does not store the insertion order between collections, so their fixed order decides first.
const byDeadline = (a: DueEntry, b: DueEntry) =>
  a.at - b.at || a.rank - b.rank || a.collection - b.collection || a.entry.order - b.entry.order

/** The records with a deadline, sorted by due time in each queue. */
export class DueQueues {
  readonly #queues = new Map<string, SortedList<DueEntry>>()

  /** Returns the first records of a queue that are due by a time in Unix seconds. */
  listDue(queue: string, until: number, limit: number): StoredObject[] {
    const records: StoredObject[] = []
    const first = this.#queues.get(queue)?.first
    // Return early, because every request calls this method and a record is rarely due.
    if (first === undefined || first.at > until) return records
    for (const due of this.#queue(queue).ascending()) {
      if (due.at > until || records.length === limit) break
      records.push(getRecord(due.entry))
    }
    return records
  }

  /** Returns the next deadline of all queues in real time, in Unix seconds, or null. */
  nextDeadline(): number | null {
    let next: number | null = null
    for (const [name, { first }] of this.#queues) {
      if (first !== undefined && (next === null || first.at < next) && isRealTimeQueue(name)) next = first.at
    }
    return next
  }

  /** Moves a record from its old deadline to a new deadline; null means no deadline. */
  move({ entry, collection }: QueuedRecord, from: Deadline | null, to: Deadline | null): void {
    if (isSameDeadline(from, to)) return
    if (from) this.#queue(from.queue).remove({ ...from, entry, collection })
    if (to) this.#queue(to.queue).insert({ ...to, entry, collection })
  }

  #queue(name: string): SortedList<DueEntry> {
    const queue = this.#queues.get(name) ?? new SortedList(byDeadline)
    this.#queues.set(name, queue)
    return queue
  }
}

function isSameDeadline(a: Deadline | null, b: Deadline | null): boolean {
  return a === b || (a !== null && a.queue === b?.queue && a.at === b.at && a.rank === b.rank)
}

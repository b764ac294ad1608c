import type { StoredObject } from '../../src/domain/changes.ts'
import { type Collection, collectionOf } from '../../src/store/port/collections.ts'
import type { ListPage, ListQuery, RangeFilter } from '../../src/store/port/store.ts'

/** A record with untyped access to its fields. */
export type Fields = StoredObject & Readonly<Record<string, unknown>>

interface StoredEntry {
  record: Fields
  readonly order: number
}

/** Kinds of records in the order in which they run when they are due at the same time. */
const QUEUED: readonly string[] = ['checkout_session', 'payment_session', 'pending', 'timer', 'subscription']

function deadlineOf(record: Fields): { queue: string; at: number; rank: number } | null {
  const { object, status, test_clock, expires_at, next_attempt_at, webhook_endpoint, attempt } = record
  const clock = test_clock === null ? 'real' : `clock:${test_clock}`
  const rank = QUEUED.indexOf(object)
  if (rank !== -1 && status === 'open') return { queue: clock, at: Number(expires_at), rank }
  if (object === 'subscription' && status !== 'canceled') {
    const { current_period_end, start_date } = record
    if (current_period_end !== null) return { queue: clock, at: Number(current_period_end), rank }
    return { queue: clock, at: Number(start_date), rank: QUEUED.indexOf('pending') }
  }
  if (object === 'timer') return { queue: clock, at: Number(record['at']), rank }
  if (object === 'webhook_delivery' && status === 'pending' && next_attempt_at !== null) {
    const kind = attempt === 1 ? 'deliveries' : 'retries'
    return { queue: `${kind}:${webhook_endpoint}`, at: Number(next_attempt_at), rank }
  }
  return null
}

function passes(record: Fields, filter: string, wanted: string | readonly string[]): boolean {
  const status = String(record['status'])
  if (filter.startsWith('live_') && status === 'canceled') return false
  if (filter.startsWith('unsettled_') && !['draft', 'open'].includes(status)) return false
  const data = record['data'] as { readonly object: StoredObject } | undefined
  const value = filter === 'object_id' ? data?.object.id : record[filter.replace(/^(live|unsettled)_/, '')]
  return typeof value === 'string' && [wanted].flat().includes(value)
}

function isWithin(record: Fields, { field, gt, gte, lt, lte }: RangeFilter): boolean {
  const value = record[field]
  if (typeof value !== 'number') return false
  const { NEGATIVE_INFINITY: least, POSITIVE_INFINITY: most } = Number
  return value > (gt ?? least) && value >= (gte ?? least) && value < (lt ?? most) && value <= (lte ?? most)
}

/** A model of the store for property tests: one array that is sorted and filtered for every query. */
export class NaiveStore {
  #kept: StoredEntry[] = []
  #order = 0
  #sequence = 0
  #lastCreated = 0

  put(record: Fields): void {
    const old = this.#find(record)
    this.#order += 1
    if (old) old.record = record
    else this.#kept.push({ record, order: this.#order })
  }

  remove(record: StoredObject): void {
    const old = this.#find(record)
    this.#kept = this.#kept.filter((kept) => kept !== old)
  }

  /** Sequence number of the newest event. */
  get sequence(): number {
    return this.#sequence
  }

  /** Assigns a sequence number to an event and stores it; without a test clock `created` never decreases. */
  announce(event: Fields): Fields {
    this.#sequence += 1
    const { test_clock, ...rest } = event
    if (test_clock === null) this.#lastCreated = Math.max(this.#lastCreated, Number(rest['created']))
    const created = test_clock === null ? this.#lastCreated : rest['created']
    const sequenced = { ...rest, created, sequence: this.#sequence, test_clock } as Fields
    this.put(sequenced)
    return sequenced
  }

  get(collection: Collection, id: string): StoredObject | null {
    const kept = this.#kept.find(({ record }) => collectionOf(record) === collection && record.id === id)
    return kept?.record ?? null
  }

  /** Returns all listed records of a collection, newest first. */
  listed(collection: Collection): Fields[] {
    const sortKey = (record: Fields) => (collection === 'events' ? Number(record['sequence']) : 0)
    return this.#kept
      .filter(({ record }) => collectionOf(record) === collection && 'created' in record)
      .sort((a, b) => sortKey(b.record) - sortKey(a.record) || b.order - a.order)
      .map(({ record }) => record)
  }

  list(collection: Collection, query: ListQuery): ListPage<StoredObject> {
    const { where = {}, ranges = [], limit, starting_after, ending_before } = query
    const all = this.listed(collection)
    const cursor = all.findIndex(({ id }) => id === (starting_after ?? ending_before))
    const isBackwards = ending_before !== undefined
    const matching = (isBackwards ? all.slice(0, cursor).reverse() : all.slice(cursor + 1)).filter(
      (record) =>
        Object.entries(where).every(([filter, wanted]) => passes(record, filter, wanted)) &&
        ranges.every((range) => isWithin(record, range)),
    )
    const data = matching.slice(0, limit)
    return { data: isBackwards ? data.reverse() : data, has_more: matching.length > limit }
  }

  listOldest(collection: Collection, limit: number, after?: string): StoredObject[] {
    const kept = this.#kept.filter(({ record }) => collectionOf(record) === collection)
    const first = kept.findIndex(({ record }) => record.id === after) + 1
    return kept.slice(first, first + limit).map(({ record }) => record)
  }

  listDue(queue: string, until: number, limit: number): StoredObject[] {
    return this.#kept
      .flatMap(({ record, order }) => {
        const deadline = deadlineOf(record)
        const isDue = deadline?.queue === queue && deadline.at <= until
        return isDue ? [{ record, order, at: deadline.at, rank: deadline.rank }] : []
      })
      .sort((a, b) => a.at - b.at || a.rank - b.rank || a.order - b.order)
      .slice(0, limit)
      .map(({ record }) => record)
  }

  #find({ object, id }: StoredObject): StoredEntry | undefined {
    return this.#kept.find(({ record }) => record.object === object && record.id === id)
  }
}

import { findDeadline } from '../../src/domain/schedule/deadlines.ts'
import {
  COLLECTION_NAMES,
  COLLECTION_RULES,
  type CollectionName,
  getCollectionName,
} from '../../src/store/port/collections.ts'
import type { ListQuery } from '../../src/store/port/store.ts'
import type { RecordedRead } from '../support/store-record.ts'
import type { Fields } from './naive-store.ts'

const ALL = 100
/** The number of values per filter: the values that records had last. */
const VALUES = 3

/** Returns reads of the collections and queues of some records, given as all their states, oldest first. */
export function listQueriesOf(records: readonly Fields[]): RecordedRead[] {
  const byCollection = Map.groupBy(records, getCollectionName)
  const queues = new Set(records.flatMap((record) => findDeadline(record)?.queue ?? []))
  return [
    ...COLLECTION_NAMES.flatMap((name) => queriesOf(name, byCollection.get(name) ?? [])),
    ...[...queues].map((queue): RecordedRead => ['listDue', queue, Number.MAX_SAFE_INTEGER, ALL]),
  ]
}

function queriesOf(collection: CollectionName, records: readonly Fields[]): RecordedRead[] {
  const [oldest, ...others] = new Set(records.map(({ id }) => id))
  if (oldest === undefined) return []
  const newest = others.at(-1) ?? oldest
  const list = (query: ListQuery): RecordedRead => ['list', collection, query]
  return [
    ...filtersOf(collection, records).map((where) => list({ where, limit: ALL })),
    list({ limit: 1 }),
    list({ limit: 2, starting_after: newest }),
    list({ limit: 2, ending_before: oldest }),
    ['listOldest', collection, 2, oldest],
    ['count', collection],
  ]
}

type Where = NonNullable<ListQuery['where']>

/** Returns each filter with each value and with all values, and each pair of filters. */
function filtersOf(collection: CollectionName, records: readonly Fields[]): Where[] {
  const filters = Object.entries(COLLECTION_RULES[collection].filters).map(([name, read]) => {
    const values = new Set(records.map((record) => read(record as never)))
    const some = [...values].filter((value) => value !== null).slice(-VALUES)
    return { all: { [name]: some }, each: some.map((value): Where => ({ [name]: value })) }
  })
  return filters.flatMap(({ all, each }, at) => [
    all,
    ...each,
    ...filters.slice(at + 1).flatMap((other) => each.flatMap((a) => other.each.map((b) => ({ ...a, ...b })))),
  ])
}

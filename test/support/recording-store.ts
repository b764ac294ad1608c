import type { StoredObject } from '../../src/domain/core/changes.ts'
import type { Snapshot } from '../../src/engine/invariants.ts'
import {
  COLLECTION_NAMES,
  type CollectionName,
  type CollectionRecordTypes,
  getCollectionName,
} from '../../src/store/port/collections.ts'
import type { Store, Write } from '../../src/store/port/store.ts'

const RECORDS_PER_PAGE = 100

/** Returns every record that a collection lists, newest first. */
export async function listAll<C extends CollectionName>(
  store: Store,
  collection: C,
): Promise<CollectionRecordTypes[C][]> {
  const found: CollectionRecordTypes[C][] = []
  for (let more = true; more; ) {
    const last = found.at(-1)
    const cursor = last === undefined ? {} : { starting_after: last.id }
    const page = await store.list(collection, { limit: RECORDS_PER_PAGE, ...cursor })
    found.push(...page.data)
    more = page.has_more
  }
  return found
}

/** Wraps a store and records the ids of every record ever written, by collection. */
export function createRecordingStore(store: Store): {
  store: Store
  written: ReadonlyMap<CollectionName, ReadonlySet<string>>
} {
  const written = new Map(COLLECTION_NAMES.map((name) => [name, new Set<string>()]))
  const remember = (record: StoredObject) => written.get(getCollectionName(record))?.add(record.id)
  const transact: Store['transact'] = async (work) => {
    let writes: readonly Write[] = []
    const committed = await store.transact(async (reader) => {
      const decided = await work(reader)
      writes = decided.writes
      return decided
    })
    for (const write of writes) if ('put' in write) remember(write.put)
    for (const event of committed.events) remember(event)
    return committed
  }
  return { store: { ...store, transact }, written }
}

/** Reads every stored record: listed records, and unlisted records by their recorded ids. */
export async function storedRecords(
  store: Store,
  written: ReadonlyMap<CollectionName, ReadonlySet<string>>,
): Promise<Snapshot['records']> {
  const found = new Map<CollectionName, StoredObject[]>()
  for (const name of COLLECTION_NAMES) {
    const listed = await listAll(store, name)
    const ids = new Set([...(written.get(name) ?? []), ...listed.map(({ id }) => id)])
    const records = await Promise.all([...ids].map((id) => store.get(name, id)))
    found.set(
      name,
      records.filter((record) => record !== null),
    )
  }
  return Object.fromEntries(found) as unknown as Snapshot['records']
}

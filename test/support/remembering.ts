import type { Stored } from '../../src/domain/changes.ts'
import type { Snapshot } from '../../src/engine/invariants.ts'
import {
  COLLECTION_NAMES,
  type Collection,
  type Collections,
  collectionOf,
} from '../../src/store/port/collections.ts'
import type { Store, Write } from '../../src/store/port/store.ts'

const RECORDS_PER_PAGE = 100

/** Every record that a collection lists, newest first. */
export async function everything<C extends Collection>(
  store: Store,
  collection: C,
): Promise<Collections[C][]> {
  const found: Collections[C][] = []
  for (let more = true; more; ) {
    const last = found.at(-1)
    const cursor = last === undefined ? {} : { starting_after: last.id }
    const page = await store.list(collection, { limit: RECORDS_PER_PAGE, ...cursor })
    found.push(...page.data)
    more = page.has_more
  }
  return found
}

/** A store as it is, and the ids of all that was ever put into it, by collection. */
export function remembering(store: Store): {
  store: Store
  written: ReadonlyMap<Collection, ReadonlySet<string>>
} {
  const written = new Map(COLLECTION_NAMES.map((name) => [name, new Set<string>()]))
  const remember = (record: Stored) => written.get(collectionOf(record))?.add(record.id)
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
  const reading = {
    get: store.get.bind(store),
    list: store.list.bind(store),
    due: store.due.bind(store),
    oldest: store.oldest.bind(store),
    count: store.count.bind(store),
    newestSequence: store.newestSequence.bind(store),
    close: store.close.bind(store),
  }
  return { store: { ...reading, transact }, written }
}

/** What is stored, read back through the store: what it lists, and the unlisted of which the ids are known. */
export async function storedIn(
  store: Store,
  written: ReadonlyMap<Collection, ReadonlySet<string>>,
): Promise<Snapshot['records']> {
  const found = new Map<Collection, Stored[]>()
  for (const name of COLLECTION_NAMES) {
    const listed = await everything(store, name)
    const ids = new Set([...(written.get(name) ?? []), ...listed.map(({ id }) => id)])
    const records = await Promise.all([...ids].map((id) => store.get(name, id)))
    found.set(
      name,
      records.filter((record) => record !== null),
    )
  }
  return Object.fromEntries(found) as unknown as Snapshot['records']
}

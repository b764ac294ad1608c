import { useState } from 'preact/hooks'
import { type ApiListPage, buildApiUrl, get, type QueryParams } from './api-client.ts'
import { type RefreshOptions, useLoad } from './use-load.ts'

/** An entry of a list, or an object in an entry. */
export interface IdentifiedEntry {
  readonly id: string
}

/** A list of the API, with the selection and the order of its objects. */
export interface ListSource<T> extends RefreshOptions {
  readonly path: string
  readonly query: QueryParams
  /** Returns the object in a list entry, such as the object of an event (default: the entry itself). */
  readonly itemOf?: (entry: IdentifiedEntry) => T
  /** Sorts the objects (default: the order of the list). */
  readonly compare?: (a: T, b: T) => number
  /** Returns whether to show an object, for filters that the API does not have. */
  readonly isWanted?: (item: T) => boolean
  /** Identifies the filter in `isWanted`; when the value changes, the list is read again from the newest object. */
  readonly search?: string
}

/** The newest entries of a list. */
interface ListPart {
  readonly entries: readonly IdentifiedEntry[]
  /** The position after the entries; null at the end of the list. */
  readonly next: string | null
}

const PAGE_SIZE = 50
const MAX_PAGE_SIZE = 100
/** Maximum number of entries of one read, because `isWanted` may reject whole pages. */
const MAX_SEARCHED = 500
const EMPTY: ListPart = { entries: [], next: null }

/**
 * Reads the newest objects of a list, and older objects when `loadMore` is called. After a change, reads the newest
 * page again, and keeps the older entries. `items` is null until the first objects are read.
 */
export function useList<T extends IdentifiedEntry>(source: ListSource<T>) {
  const { path, query, search = '' } = source
  const [isReading, setReading] = useState(false)
  const readPage = async ({ entries, next }: ListPart, limit: number, signal: AbortSignal) => {
    const params = { ...query, limit, starting_after: next ?? undefined }
    const { data, has_more } = await get<ApiListPage<IdentifiedEntry>>(path, params, signal)
    return { entries: [...entries, ...data], next: has_more ? (data.at(-1)?.id ?? null) : null }
  }
  const readMore = async (signal: AbortSignal, last: ListPart | null) => {
    let part = last ?? EMPTY
    const wanted = selectItems(part, source).length + PAGE_SIZE
    const end = part.entries.length + MAX_SEARCHED
    do part = await readPage(part, PAGE_SIZE, signal)
    while (part.next !== null && part.entries.length < end && selectItems(part, source).length < wanted)
    return part
  }
  const { data, error, reload, run } = useLoad<ListPart>(
    `${buildApiUrl(path, query)} ${search}`,
    async (signal, last) => {
      if (last === null || last.entries.length === 0) return readMore(signal, null)
      const limit = last.entries.length > PAGE_SIZE ? MAX_PAGE_SIZE : PAGE_SIZE
      const newest = await readPage(EMPTY, limit, signal)
      const end = last.entries.findIndex(({ id }) => id === newest.entries.at(-1)?.id)
      if (newest.next === null) return newest
      if (end < 0) return readMore(signal, null)
      return { entries: [...newest.entries, ...last.entries.slice(end + 1)], next: last.next }
    },
    source,
  )
  const loadMore = () => {
    setReading(true)
    run(readMore).finally(() => setReading(false))
  }
  return {
    items: data === null ? null : selectItems(data, source),
    hasMore: data !== null && data.next !== null,
    ...{ error, isReading, loadMore, reload },
  }
}

/** Returns each wanted object once, in the state of its newest entry. */
function selectItems<T extends IdentifiedEntry>({ entries }: ListPart, source: ListSource<T>): readonly T[] {
  const { itemOf = (entry: IdentifiedEntry) => entry as T, isWanted = () => true, compare } = source
  const found = new Map<string, T>()
  for (const item of entries.map(itemOf)) if (!found.has(item.id)) found.set(item.id, item)
  const wanted = [...found.values()].filter(isWanted)
  return compare === undefined ? wanted : wanted.sort(compare)
}

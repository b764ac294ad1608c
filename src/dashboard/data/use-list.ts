import { useState } from 'preact/hooks'
import { apiUrl, get, type Page, type Query, type RequestError } from './api-client.ts'
import { type RefreshOptions, useLoad } from './use-load.ts'

/** An entry of a list, or an object in an entry. */
export interface WithId {
  readonly id: string
}

/** A list of the API, with the selection and the order of its objects. */
export interface ListSource<T> extends RefreshOptions {
  readonly path: string
  readonly query: Query
  /** Returns the object in an entry of the list, such as that of an event (default: the entry itself). */
  readonly itemOf?: (entry: WithId) => T
  /** Sorts the objects (default: they stay in the order of the list). */
  readonly compare?: (a: T, b: T) => number
  /** Selects among the objects, for filters that the API does not have. */
  readonly isWanted?: (item: T) => boolean
  /** Identifies the filter of `isWanted`; when it changes, the list is read from the newest object again. */
  readonly search?: string
}

/** The objects of a list that were read until now. */
export interface LoadedList<T> {
  /** Null until the first objects are read. */
  readonly items: readonly T[] | null
  readonly error: RequestError | null
  readonly hasMore: boolean
  readonly isReading: boolean
  readonly loadMore: () => void
  readonly reload: () => void
}

/** The newest entries of a list. */
interface ListPart {
  readonly entries: readonly WithId[]
  /** The position after the entries; null at the end of the list. */
  readonly next: string | null
}

const PAGE_SIZE = 50
const MAX_PAGE_SIZE = 100
/** `isWanted` may reject whole pages, so a reading ends after this number of entries. */
const MAX_SEARCHED = 500
const EMPTY: ListPart = { entries: [], next: null }

/**
 * Reads the newest objects of a list, and more of them when `loadMore` is called. After a change it reads the newest page
 * again, and keeps the older entries that follow it. With a null source it reads nothing.
 */
export function useList<T extends WithId>(source: ListSource<T> | null): LoadedList<T> {
  const key = source === null ? null : `${apiUrl(source.path, source.query)} ${source.search ?? ''}`
  const [isReading, setReading] = useState(false)
  const readMore = (signal: AbortSignal, last: ListPart | null) => {
    const shown = selectItems(last ?? EMPTY, source).length
    const end = (last?.entries.length ?? 0) + MAX_SEARCHED
    const isEnough = (part: ListPart) =>
      part.entries.length >= end || selectItems(part, source).length >= shown + PAGE_SIZE
    return readPart(source, last ?? EMPTY, { isEnough, limit: PAGE_SIZE, signal })
  }
  const { data, error, reload, run } = useLoad<ListPart>(
    key,
    async (signal, last) => {
      if (last === null || last.entries.length === 0) return readMore(signal, null)
      const limit = last.entries.length > PAGE_SIZE ? MAX_PAGE_SIZE : PAGE_SIZE
      const newest = await readPart(source, EMPTY, { isEnough: () => true, limit, signal })
      const end = last.entries.findIndex(({ id }) => id === newest.entries.at(-1)?.id)
      if (newest.next === null) return newest
      if (end < 0) return readMore(signal, null)
      return { entries: [...newest.entries, ...last.entries.slice(end + 1)], next: last.next }
    },
    source ?? {},
  )
  const loadMore = () => {
    setReading(true)
    run(readMore).finally(() => setReading(false))
  }
  return {
    items: data === null ? null : selectItems(data, source),
    hasMore: data !== null && data.next !== null,
    ...{ error, isReading, loadMore: isReading ? () => {} : loadMore, reload },
  }
}

/** Returns each wanted object once, in the state of its first entry. */
function selectItems<T extends WithId>({ entries }: ListPart, source: ListSource<T> | null): readonly T[] {
  const { itemOf = (entry: WithId) => entry as T, isWanted = () => true, compare } = source ?? {}
  const found = new Map<string, T>()
  for (const item of entries.map(itemOf)) if (!found.has(item.id)) found.set(item.id, item)
  const wanted = [...found.values()].filter(isWanted)
  return compare === undefined ? wanted : wanted.sort(compare)
}

interface ReadOptions {
  readonly isEnough: (part: ListPart) => boolean
  readonly limit: number
  readonly signal: AbortSignal
}

/** Returns the part, extended by older entries until it has enough. */
async function readPart<T>(
  source: ListSource<T> | null,
  part: ListPart,
  options: ReadOptions,
): Promise<ListPart> {
  if (source === null) return part
  const { isEnough, limit, signal } = options
  const query = { ...source.query, limit, starting_after: part.next ?? undefined }
  const page = await get<Page<WithId>>(source.path, query, signal)
  const next = page.has_more ? (page.data.at(-1)?.id ?? null) : null
  const longer = { entries: [...part.entries, ...page.data], next }
  if (next === null || isEnough(longer)) return longer
  return readPart(source, longer, options)
}

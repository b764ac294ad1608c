import { useEffect, useRef, useState } from 'preact/hooks'
import type { Event } from '../../domain/events/events.ts'
import { RequestError } from './api-client.ts'
import { mergeItems } from './merge-items.ts'
import { useNewEvents } from './use-live.ts'

/** Some objects, newest first, and the position after them; null at the end. */
export interface ObjectPage<T> {
  readonly items: readonly T[]
  readonly next: string | null
}

/** Where objects are read from. */
export interface PageSource<T> {
  /** Stands for everything that `readPage` reads; a new key starts again. */
  readonly key: string
  readonly readPage: (after: string | null, signal: AbortSignal) => Promise<ObjectPage<T>>
  /** Sorts the objects of all pages (default: they stay in the order of the pages). */
  readonly compare?: (a: T, b: T) => number
  /** Selects among the objects of a page, for filters that the API does not have. */
  readonly isWanted: (item: T) => boolean
  /** Returns whether the newest objects must be read again after an event. */
  readonly isRelevant: (event: Event) => boolean
}

/** Objects that pass some filters, read page by page. */
export interface LoadedPages<T> {
  /** Null until the first pages are read. */
  readonly items: readonly T[] | null
  readonly error: RequestError | null
  readonly hasMore: boolean
  readonly isReading: boolean
  readonly loadMore: () => void
  readonly reload: () => void
}

interface Listed {
  readonly id: string
}

/** Objects of one reading, if there are as many. */
const WANTED = 50
/** `isWanted` may reject whole pages, so a reading ends after this number of pages. */
const MAX_PAGES = 10
const RELOAD_MS = 500

/** Reads objects page by page, and the newest ones again after relevant events. With a null source it reads nothing. */
export function usePages<T extends Listed>(source: PageSource<T> | null): LoadedPages<T> {
  const key = source?.key ?? ''
  const [state, setState] = useState<(ObjectPage<T> & { readonly key: string }) | null>(null)
  const [error, setError] = useState<RequestError | null>(null)
  const [isReading, setReading] = useState(false)
  const controller = useRef<AbortController | null>(null)
  const current = state?.key === key ? state : null

  const read = async (after: string | null, wanted: number, merge: MergePages) => {
    const signal = controller.current?.signal
    if (source === null || signal === undefined) return
    try {
      const found = await readPages(source, { after, wanted, signal })
      setState((last) => ({ key, ...(last?.key === key ? merge(found, last) : found) }))
      setError(null)
    } catch (failure) {
      if (signal.aborted) return
      if (!(failure instanceof RequestError)) throw failure
      setError(failure)
    }
  }
  const loadMore = async () => {
    if (current === null || isReading) return
    setReading(true)
    await read(current.next, WANTED, addOlder)
    setReading(false)
  }
  const reload = () => read(null, 1, addNewer)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the source.
  useEffect(() => {
    controller.current = new AbortController()
    setError(null)
    read(null, WANTED, (found) => found)
    return () => controller.current?.abort()
  }, [key])
  useNewEvents((event) => source?.isRelevant(event) ?? false, reload, RELOAD_MS)
  return {
    items: current === null || source === null ? null : selectItems(current.items, source),
    ...{ error, isReading, loadMore, reload },
    hasMore: current !== null && current.next !== null,
  }
}

function selectItems<T>(items: readonly T[], { isWanted, compare }: PageSource<T>): T[] {
  const wanted = items.filter(isWanted)
  return compare === undefined ? wanted : wanted.sort(compare)
}

type MergePages = <T extends Listed>(found: ObjectPage<T>, last: ObjectPage<T>) => ObjectPage<T>

function addNewer<T extends Listed>(found: ObjectPage<T>, last: ObjectPage<T>): ObjectPage<T> {
  return { ...last, items: mergeItems(found.items, last.items) }
}

function addOlder<T extends Listed>(found: ObjectPage<T>, last: ObjectPage<T>): ObjectPage<T> {
  return { ...found, items: mergeItems(last.items, found.items) }
}

interface ReadOptions {
  readonly after: string | null
  readonly wanted: number
  readonly signal: AbortSignal
}

async function readPages<T extends Listed>(
  { readPage, isWanted }: PageSource<T>,
  { after, wanted, signal }: ReadOptions,
): Promise<ObjectPage<T>> {
  let items: readonly T[] = []
  let next = after
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await readPage(next, signal)
    items = mergeItems(items, page.items)
    next = page.next
    if (next === null || items.filter(isWanted).length >= wanted) break
  }
  return { items, next }
}

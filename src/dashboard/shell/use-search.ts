import { useContext, useEffect, useRef } from 'preact/hooks'
import type { ApiObject } from '../data/history-scope.ts'
import type { SearchResult } from '../data/search-matching.ts'
import { readSearchableObjects, searchObjects } from '../data/search-objects.ts'
import { LiveFeedContext } from '../data/use-live-feed.ts'
import { type LoadState, useLoad } from '../data/use-load.ts'

const TYPING_MS = 150

/** Searches for a text while it is typed. The lists are read once for all texts until the field is empty again. */
export function useSearch(typed: string): LoadState<readonly SearchResult[]> {
  const text = typed.trim()
  const feed = useContext(LiveFeedContext)
  const lists = useRef<Promise<readonly ApiObject[]> | null>(null)
  useEffect(() => {
    if (text === '') lists.current = null
  }, [text])
  return useLoad(text === '' ? null : text, async (signal) => {
    await new Promise((resolve) => setTimeout(resolve, TYPING_MS))
    signal.throwIfAborted()
    lists.current ??= readSearchableObjects()
    const objects = await lists.current.catch((error: unknown) => {
      lists.current = null
      throw error
    })
    return searchObjects({ text, objects, feed, signal })
  })
}

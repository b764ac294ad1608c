import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { RequestError } from '../data/api-client.ts'
import { readSearchedObjects, searchObjects } from '../data/search-objects.ts'
import type { SearchResult } from '../data/search-query.ts'
import type { ApiObject } from '../data/story-scope.ts'
import { LiveFeedContext } from '../data/use-live.ts'

/** The results of a search. */
export interface FoundObjects {
  /** The text that was searched. */
  readonly text: string
  readonly results: readonly SearchResult[]
  readonly error: RequestError | null
}

const TYPING_MS = 150
const EMPTY: FoundObjects = { text: '', results: [], error: null }

/**
 * Searches for a text while it is typed. The lists are read once for all texts until the field is empty again. Returns
 * null while a search runs.
 */
export function useSearch(typed: string): FoundObjects | null {
  const text = typed.trim()
  const feed = useContext(LiveFeedContext)
  const [found, setFound] = useState(EMPTY)
  const objects = useRef<Promise<readonly ApiObject[]> | null>(null)
  const reading = useRef<AbortController | null>(null)
  useEffect(() => {
    if (text === '') {
      reading.current?.abort()
      objects.current = null
      return
    }
    if (objects.current === null) {
      reading.current = new AbortController()
      objects.current = readSearchedObjects(reading.current.signal)
    }
    const controller = new AbortController()
    const { signal } = controller
    const search = async () => {
      const read = await objects.current
      const results = await searchObjects({ text, objects: read ?? [], feed, signal })
      if (!signal.aborted) setFound({ text, results, error: null })
    }
    const timer = setTimeout(() => {
      search().catch((error: unknown) => {
        if (signal.aborted) return
        if (!(error instanceof RequestError)) throw error
        objects.current = null
        setFound({ text, results: [], error })
      })
    }, TYPING_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [text, feed])
  return text !== '' && found.text === text ? found : null
}

import { createContext } from 'preact'
import { useContext, useEffect, useReducer, useRef } from 'preact/hooks'
import type { Event } from '../../domain/events/events.ts'
import type { LiveFeed } from './live-feed.ts'

/** The feed of the selected sandbox; null until it is opened. */
export const LiveFeedContext = createContext<LiveFeed | null>(null)

/** Returns the feed, and renders again when it changes, at most once per frame. */
export function useLive(): LiveFeed | null {
  const feed = useContext(LiveFeedContext)
  const [, rerender] = useReducer((count: number) => count + 1, 0)
  useEffect(() => feed?.subscribe(() => rerender(undefined)), [feed])
  return feed
}

/**
 * Calls `onChange` after new events that `isRelevant` selects, at most once per `delayMs`, so that a screen reads its
 * objects again while they change.
 */
export function useNewEvents(
  isRelevant: (event: Event) => boolean,
  onChange: () => void,
  delayMs = 300,
): void {
  const feed = useContext(LiveFeedContext)
  const latest = useRef({ isRelevant, onChange })
  latest.current = { isRelevant, onChange }
  useEffect(() => {
    if (feed === null) return
    let sequence = feed.events().at(-1)?.sequence ?? 0
    let timer: ReturnType<typeof setTimeout> | null = null
    const unsubscribe = feed.subscribe(() => {
      const events = feed.events()
      const added = events.slice(events.findLastIndex((event) => event.sequence <= sequence) + 1)
      sequence = added.at(-1)?.sequence ?? sequence
      if (timer !== null || !added.some((event) => latest.current.isRelevant(event))) return
      timer = setTimeout(() => {
        timer = null
        latest.current.onChange()
      }, delayMs)
    })
    return () => {
      unsubscribe()
      if (timer !== null) clearTimeout(timer)
    }
  }, [feed, delayMs])
}

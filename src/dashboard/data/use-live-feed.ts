import { createContext } from 'preact'
import { useContext, useEffect, useReducer } from 'preact/hooks'
import type { LiveEntry, LiveFeed } from './live-feed.ts'

/** The feed of the selected sandbox; null until it is opened. */
export const LiveFeedContext = createContext<LiveFeed | null>(null)

/** Returns the feed, and renders again when it changes, at most four times a second. */
export function useLiveFeed(): LiveFeed | null {
  const feed = useContext(LiveFeedContext)
  const [, rerender] = useReducer((count: number) => count + 1, 0)
  useEffect(() => feed?.subscribe(() => rerender(undefined)), [feed])
  return feed
}

/** Returns a function that selects events whose type matches a pattern. */
export function createEventTypeFilter(types: RegExp): (entry: LiveEntry) => boolean {
  return (entry) => entry.object === 'event' && types.test(entry.type)
}

import { useContext, useEffect, useReducer, useState } from 'preact/hooks'
import type { Event } from '../../../domain/events/events.ts'
import { get, type Page, RequestError } from '../../data/api-client.ts'
import { LiveFeedContext } from '../../data/use-live.ts'
import { mergeEvents } from './axis-events.ts'

/** The events of a clock, oldest first. */
export interface ClockEvents {
  /** Null until they are read. */
  readonly events: readonly Event[] | null
  readonly error: RequestError | null
  /** Whether there are older events, which are not shown. */
  readonly isTruncated: boolean
  readonly reload: () => void
}

const PAGE_SIZE = 100
const MAX_PAGES = 10
/** Events arrive faster than a person sees them while a clock advances. */
const UPDATE_MS = 200

type Read = Omit<ClockEvents, 'reload'>

/** Reads the newest events of a clock, and adds those of the stream as they arrive. */
export function useClockEvents(clock: string): ClockEvents {
  const feed = useContext(LiveFeedContext)
  const [round, reload] = useReducer((count: number) => count + 1, 0)
  const [state, setState] = useState<Read>({ events: null, error: null, isTruncated: false })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round reads again.
  useEffect(() => {
    const controller = new AbortController()
    readEvents(clock, controller.signal)
      .then(setState)
      .catch((error: unknown) => {
        if (controller.signal.aborted) return
        if (!(error instanceof RequestError)) throw error
        setState((last) => ({ ...last, error }))
      })
    return () => controller.abort()
  }, [clock, round])
  const isRead = state.events !== null
  useEffect(() => {
    if (feed === null || !isRead) return
    let timer: ReturnType<typeof setTimeout> | null = null
    let newest = feed.events().at(-1)?.sequence ?? 0
    const update = () => {
      timer = null
      const all = feed.events()
      // A hidden tab may miss events that the feed has dropped since.
      if ((all[0]?.sequence ?? 0) > newest + 1) reload(undefined)
      newest = all.at(-1)?.sequence ?? newest
      const own = all.filter(({ test_clock }) => test_clock === clock)
      setState((last) => {
        const events = mergeEvents(last.events ?? [], own)
        return events === last.events ? last : { ...last, events }
      })
    }
    const unsubscribe = feed.subscribe(() => {
      timer ??= setTimeout(update, UPDATE_MS)
    })
    update()
    return () => {
      unsubscribe()
      if (timer !== null) clearTimeout(timer)
    }
  }, [feed, clock, isRead])
  return { ...state, reload: () => reload(undefined) }
}

async function readEvents(clock: string, signal: AbortSignal): Promise<Read> {
  const newestFirst: Event[] = []
  let hasMore = true
  for (let page = 0; hasMore && page < MAX_PAGES; page += 1) {
    const query = { test_clock: clock, limit: PAGE_SIZE, starting_after: newestFirst.at(-1)?.id }
    const { data, has_more } = await get<Page<Event>>('/v1/events', query, signal)
    newestFirst.push(...data)
    hasMore = has_more
  }
  return { events: newestFirst.toReversed(), error: null, isTruncated: hasMore }
}

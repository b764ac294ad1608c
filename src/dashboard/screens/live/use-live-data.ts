import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Event } from '../../../domain/events/events.ts'
import type { WebhookDelivery } from '../../../domain/events/webhook-deliveries.ts'
import type { RequestLog } from '../../../domain/requests/request-logs.ts'
import { type ApiListPage, get } from '../../data/api-client.ts'
import { groupDeliveryStates, type KnownDeliveries, mergeDeliveries } from '../../data/delivery-states.ts'
import { LiveFeedContext, useLiveFeed } from '../../data/use-live-feed.ts'
import { useLoad } from '../../data/use-load.ts'

interface FeedSample {
  readonly events: readonly Event[]
  readonly requests: readonly RequestLog[]
}

const RATE_MS = 1000
const RATE_SAMPLES = 6
const NO_SAMPLE = { atMs: 0, events: 0, requests: 0 }

/**
 * Returns the entries of the live feed or, during a pause, the entries from the start of the pause; null until they are
 * read.
 */
export function usePausableFeed(isPaused: boolean): FeedSample | null {
  const feed = useLiveFeed()
  const sample = useRef<FeedSample | null>(null)
  const isWanted = !isPaused || sample.current === null
  if (isWanted && feed !== null && feed.state() !== 'connecting')
    sample.current = { events: feed.events(), requests: feed.requests() }
  return sample.current
}

/** Returns the numbers of events and requests per second, measured over the last five seconds. */
export function useArrivalRates(): { readonly events: number; readonly requests: number } {
  const feed = useContext(LiveFeedContext)
  const [samples, setSamples] = useState<readonly { atMs: number; events: number; requests: number }[]>([])
  useEffect(() => {
    if (feed === null) return
    setSamples([])
    const timer = setInterval(() => {
      const sample = { atMs: performance.now(), ...feed.arrivals() }
      setSamples((last) => [...last, sample].slice(-RATE_SAMPLES))
    }, RATE_MS)
    return () => clearInterval(timer)
  }, [feed])
  const [first = NO_SAMPLE] = samples
  const last = samples.at(-1) ?? NO_SAMPLE
  const seconds = (last.atMs - first.atMs) / 1000 || 1
  return {
    events: (last.events - first.events) / seconds,
    requests: (last.requests - first.requests) / seconds,
  }
}

const LIMIT = 100
const MAX_KNOWN = 2000

/** Reads the newest deliveries every two seconds and after new events. Reads no deliveries if there is no endpoint. */
export function useNewestDeliveries() {
  const feed = useContext(LiveFeedContext)
  const { data: known, error } = useLoad<(KnownDeliveries & { readonly sequence: number }) | null>(
    'deliveries',
    async (signal, last) => {
      if (last === null) {
        const endpoints = await get<ApiListPage<object>>('/v1/webhook_endpoints', { limit: 1 }, signal)
        if (endpoints.data.length === 0) return null
      }
      // The page of deliveries may lack the deliveries of later events.
      const sequence = feed?.events().at(-1)?.sequence ?? 0
      const page = await get<ApiListPage<WebhookDelivery>>('/v1/webhook_deliveries', { limit: LIMIT }, signal)
      return { ...mergeDeliveries(last, page, MAX_KNOWN), sequence }
    },
    { isRelevant: (entry) => entry.object === 'event' && entry.pending_webhooks > 0, isPolled: true },
  )
  const byEvent = useMemo(() => groupDeliveryStates(known?.deliveries ?? []), [known])
  const isUndelivered = (event: Event) =>
    known !== null &&
    event.sequence <= known.sequence &&
    // The time of a test clock cannot be compared with real time.
    (known.since === 0 || (event.test_clock === null && event.created > known.since)) &&
    event.pending_webhooks === 0 &&
    !byEvent.has(event.id)
  return { byEvent, isUndelivered, hasEndpoint: known !== null, error }
}

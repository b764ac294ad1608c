import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { Event } from '../../../domain/events/events.ts'
import type { RequestLog } from '../../../domain/requests/request-logs.ts'
import { LiveFeedContext } from '../../data/use-live-feed.ts'
import { type ArrivalSample, arrivalRate } from './arrival-rate.ts'

export interface FeedSample {
  readonly events: readonly Event[]
  readonly requests: readonly RequestLog[]
}

/** Grouping thousands of entries takes milliseconds, so it is done a few times a second and not in each frame. */
const SAMPLE_MS = 250
const RATE_MS = 1000
const RATE_SAMPLES = 6

/** Returns the entries of the live feed a few times a second; while paused, the entries of the last sample. */
export function useFeedSample(isPaused: boolean): FeedSample | null {
  const feed = useContext(LiveFeedContext)
  const [sample, setSample] = useState<FeedSample | null>(null)
  useEffect(() => {
    if (feed === null || isPaused) return
    let timer: ReturnType<typeof setTimeout> | null = null
    const read = () => {
      timer = null
      setSample({ events: feed.events(), requests: feed.requests() })
    }
    const unsubscribe = feed.subscribe(() => {
      timer ??= setTimeout(read, SAMPLE_MS)
    })
    if (feed.state() !== 'connecting') read()
    return () => {
      unsubscribe()
      if (timer !== null) clearTimeout(timer)
    }
  }, [feed, isPaused])
  return sample
}

/** Returns the arrivals per second during the last seconds. */
export function useArrivalRates(): { readonly events: number; readonly requests: number } {
  const feed = useContext(LiveFeedContext)
  const [rates, setRates] = useState({ events: 0, requests: 0 })
  const samples = useRef<ArrivalSample[]>([])
  useEffect(() => {
    if (feed === null) return
    samples.current = []
    const timer = setInterval(() => {
      const sample = { atMs: performance.now(), ...feed.arrivals() }
      samples.current = [...samples.current, sample].slice(-RATE_SAMPLES)
      setRates({
        events: arrivalRate(samples.current, 'events'),
        requests: arrivalRate(samples.current, 'requests'),
      })
    }, RATE_MS)
    return () => clearInterval(timer)
  }, [feed])
  return rates
}

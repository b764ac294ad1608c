import type { WebhookDelivery } from '../domain/events/webhook-deliveries.ts'

/** Maximum number of detached attempts to one endpoint; the loop of the endpoint waits for further ones. */
const MAX_DETACHED = 20

/** The attempts in flight. The loop of an endpoint waits for each attempt unless it is detached. */
export interface AttemptsInFlight {
  /**
   * Runs an attempt, detached from the start with `isDetached`. Resolves with its end, or with `continue` once it is
   * detached.
   */
  readonly run: <End>(
    delivery: WebhookDelivery,
    isDetached: boolean,
    attempt: (isDetached: () => boolean) => Promise<End>,
  ) => Promise<End | 'continue'>
  readonly has: (delivery: string) => boolean
  /** Detaches the attempt that the loop of an endpoint waits for. */
  readonly detach: (endpoint: string) => void
  readonly hasDetached: (endpoint: string) => boolean
}

/** Creates an empty set of attempts; `track` is called with each detached attempt, which may reject. */
export function createAttemptsInFlight(track: (work: Promise<void>) => void): AttemptsInFlight {
  const ids = new Set<string>()
  /** The functions that detach the attempts that loops wait for, by endpoint. */
  const waiting = new Map<string, () => void>()
  /** The numbers of detached attempts by endpoint. */
  const detached = new Map<string, number>()

  function count(endpoint: string, change: 1 | -1): void {
    const now = (detached.get(endpoint) ?? 0) + change
    if (now === 0) detached.delete(endpoint)
    else detached.set(endpoint, now)
  }

  return {
    async run({ id, webhook_endpoint: endpoint }, isOverlapped, attempt) {
      const detachment = Promise.withResolvers<'detached'>()
      let isDetached = false
      const detach = () => {
        if (isDetached || (detached.get(endpoint) ?? 0) >= MAX_DETACHED) return
        isDetached = true
        count(endpoint, 1)
        detachment.resolve('detached')
      }
      ids.add(id)
      waiting.set(endpoint, detach)
      if (isOverlapped) detach()
      const work = attempt(() => isDetached).finally(() => {
        ids.delete(id)
        if (isDetached) count(endpoint, -1)
      })
      try {
        const end = await Promise.race([detachment.promise, work])
        if (end !== 'detached') return end as Awaited<typeof work>
        track(work.then(() => {}))
        return 'continue'
      } finally {
        waiting.delete(endpoint)
      }
    },
    has: (delivery) => ids.has(delivery),
    detach: (endpoint) => waiting.get(endpoint)?.(),
    hasDetached: (endpoint) => detached.has(endpoint),
  }
}

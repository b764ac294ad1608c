import type { WebhookDelivery } from '../domain/events/webhook-deliveries.ts'

/** Maximum number of detached attempts to one endpoint; the loop of the endpoint waits for further attempts. */
const MAX_DETACHED = 20

/**
 * Creates an empty set of attempts in flight. The loop of an endpoint waits for each attempt unless it is detached. `track`
 * is called with each detached attempt, which may reject.
 */
export function createAttemptsInFlight(track: (work: Promise<void>) => void) {
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
    /**
     * Runs an attempt, detached from the start with `isOverlapped`. Resolves with the result of the attempt, or with
     * `continue` once the attempt is detached.
     */
    async run<End>(
      { id, webhook_endpoint: endpoint }: WebhookDelivery,
      isOverlapped: boolean,
      attempt: (isDetached: () => boolean) => Promise<End>,
    ): Promise<End | 'continue'> {
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
    has: (delivery: string) => ids.has(delivery),
    /** Detaches the attempt that the loop of an endpoint waits for. */
    detach: (endpoint: string) => waiting.get(endpoint)?.(),
    /** Returns whether a detached attempt to an endpoint is in flight. */
    hasDetached: (endpoint: string) => detached.has(endpoint),
  }
}

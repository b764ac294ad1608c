import type { WebhookDelivery } from '../domain/events/webhook-deliveries.ts'

/** Duration of repeated reads, because the server stores a result after the listener has shown it. */
const POLL_MS = 3000

export interface AttemptLoaderOptions {
  readonly read: (event: string) => Promise<readonly WebhookDelivery[]>
  readonly onChange: () => void
  readonly onError: (error: unknown) => void
}

/**
 * Creates a loader, which reads the delivery attempts of the event on the screen, one request at a time. The loader
 * stores the event with its attempts, so a late response is never shown for another event.
 */
export function createAttemptLoader({ read, onChange, onError }: AttemptLoaderOptions) {
  let shown: string | null = null
  let requested: string | null = null
  let loaded: { readonly event: string; readonly list: readonly WebhookDelivery[] } | null = null
  let isLoading = false
  let pollUntilMs = 0

  async function load(): Promise<void> {
    isLoading = true
    // The user may select another event during the request.
    while (shown !== null && shown !== requested) {
      const event = shown
      requested = event
      try {
        loaded = { event, list: await read(event) }
        onChange()
      } catch (error) {
        onError(error)
      }
    }
    isLoading = false
  }

  return {
    /** Reads the attempts of an event unless they are loaded and valid; null reads nothing. */
    show(event: string | null): void {
      shown = event
      if (!isLoading) load()
    },
    /** Marks the loaded attempts of an event as outdated: the next `show` reads them again. */
    invalidate(event: string, nowMs: number): void {
      if (event !== requested) return
      requested = null
      pollUntilMs = nowMs + POLL_MS
    },
    /**
     * Marks the loaded attempts as outdated for a few seconds after a delivery, and after a pending attempt becomes
     * due.
     */
    poll(nowMs: number): void {
      // An attempt stays due while its listener is disconnected, so read the attempt for a few seconds only.
      const isDue = ({ status, next_attempt_at: at }: WebhookDelivery) =>
        status === 'pending' && at !== null && nowMs >= at * 1000 && nowMs < at * 1000 + POLL_MS
      if (loaded === null || loaded.event !== requested) return
      if (nowMs < pollUntilMs || loaded.list.some(isDue)) requested = null
    },
    /** Returns the attempts of an event; null until the server has returned them. */
    get: (event: string | null) => (loaded !== null && loaded.event === event ? loaded.list : null),
  }
}

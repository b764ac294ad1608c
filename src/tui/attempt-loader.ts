import type { WebhookDelivery } from '../domain/webhook-deliveries.ts'

/** Reads the delivery attempts of the event on the screen, one request at a time. */
export interface AttemptLoader {
  /** Reads the attempts of an event unless they are loaded and valid; null reads nothing. */
  readonly show: (event: string | null) => void
  /** Marks the loaded attempts of an event as outdated: the next `show` reads them again. */
  readonly invalidate: (event: string) => void
  /** Marks the loaded attempts as outdated while one of them is due, because the server stores its result a moment later. */
  readonly poll: (nowMs: number) => void
  /** Returns the attempts of an event; null until the server has returned them. */
  readonly get: (event: string | null) => readonly WebhookDelivery[] | null
}

export interface AttemptLoaderOptions {
  readonly read: (event: string) => Promise<readonly WebhookDelivery[]>
  readonly onChange: () => void
  readonly onError: (error: unknown) => void
}

/** Creates a loader. The attempts are kept with their event, so a late response is never shown for another event. */
export function createAttemptLoader({ read, onChange, onError }: AttemptLoaderOptions): AttemptLoader {
  let shown: string | null = null
  let requested: string | null = null
  let loaded: { readonly event: string; readonly list: readonly WebhookDelivery[] } | null = null
  let isLoading = false

  async function load(): Promise<void> {
    isLoading = true
    // The user may have moved to another event in the meantime.
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
    show(event) {
      shown = event
      if (!isLoading) load()
    },
    invalidate(event) {
      if (event === requested) requested = null
    },
    poll(nowMs) {
      const isDue = ({ status, next_attempt_at: at }: WebhookDelivery) =>
        status === 'pending' && at !== null && at * 1000 <= nowMs
      if (loaded?.event === requested && loaded.list.some(isDue)) requested = null
    },
    get: (event) => (loaded !== null && loaded.event === event ? loaded.list : null),
  }
}

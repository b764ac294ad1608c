import type { DeliveryRecord } from '../client/listen-records.ts'
import type { WebhookDelivery } from '../domain/events/webhook-deliveries.ts'
import { getRetryMapKey } from './screen-state.ts'

/**
 * Maximum polling time after a failure, because the server stores the next attempt after the listener shows the
 * failure.
 */
const POLL_MS = 3000

export interface RetryTimeReaderOptions {
  readonly read: () => Promise<readonly WebhookDelivery[]>
  readonly onChange: () => void
  readonly onError: (error: unknown) => void
}

/**
 * Creates a reader, which reads the time of the next attempt of each failed delivery from the server. After an error,
 * the reader sends no request until the next failed delivery.
 */
export function createRetryTimeReader({ read, onChange, onError }: RetryTimeReaderOptions) {
  let times: ReadonlyMap<string, number> = new Map()
  /** The failed attempts whose next attempt is unknown, by `getRetryMapKey`. */
  const failed = new Map<string, number>()
  let pollUntilMs = 0
  let isReading = false

  async function readTimes(): Promise<void> {
    try {
      const pending = await read()
      for (const { event, webhook_endpoint, attempt } of pending) {
        const key = getRetryMapKey(event, webhook_endpoint)
        if (attempt > (failed.get(key) ?? attempt)) failed.delete(key)
      }
      times = new Map(
        pending.flatMap(({ event, webhook_endpoint, next_attempt_at, attempt }): [string, number][] =>
          next_attempt_at === null || attempt === 1
            ? []
            : [[getRetryMapKey(event, webhook_endpoint), next_attempt_at]],
        ),
      )
      onChange()
    } catch (error) {
      failed.clear()
      onError(error)
    } finally {
      isReading = false
    }
  }

  return {
    handleDelivery({ event, webhook_endpoint, error, attempt }: DeliveryRecord, nowMs: number): void {
      const key = getRetryMapKey(event, webhook_endpoint)
      failed.delete(key)
      // A failed delivery starts polling, which reads the times of all deliveries again.
      if (error !== null) {
        failed.set(key, attempt)
        pollUntilMs = nowMs + POLL_MS
      }
      if (times.has(key)) times = new Map([...times].filter(([other]) => other !== key))
    },
    /** Reads the times of retries if a delivery failed recently; at most one request runs at a time. */
    poll(nowMs: number): void {
      if (nowMs >= pollUntilMs) failed.clear()
      if (isReading || failed.size === 0) return
      isReading = true
      readTimes()
    },
    /** Returns the times in Unix seconds by `getRetryMapKey`. */
    times: () => times,
  }
}

import { isStoreUnavailableError } from '../../engine/store-errors.ts'
import type { Clock } from './clock.ts'
import { type Log, logInternalError } from './log.ts'

/**
 * Creates a log that reports the start and the end of a store outage instead of every failure. All other errors of
 * background jobs are logged with their stack.
 */
export function createOutageLog(log: Log, clock: Clock) {
  let isOut = false
  /** Whether a job failed since the last successful round. */
  let hasFailed = false
  return {
    /** Logs an error of a background job, unless it belongs to an outage that is already logged. */
    onError(error: unknown): void {
      if (!isStoreUnavailableError(error)) {
        logInternalError(log, clock, 'background job failed', error)
        return
      }
      hasFailed = true
      if (isOut) return
      isOut = true
      const message = `${describeError(error)} Background jobs wait until the store is available.`
      log({ at_ms: clock.nowMs(), level: 'error', message })
    },
    /** Logs the end of an outage; must be called after each round of background jobs without an error. */
    onSuccess(): void {
      const hasRecovered = isOut && !hasFailed
      hasFailed = false
      if (!hasRecovered) return
      isOut = false
      log({ at_ms: clock.nowMs(), level: 'info', message: 'The database accepts changes again.' })
    },
  }
}

// The cause is for the log only; clients receive the message without the cause.
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message, cause } = error
  return cause instanceof Error ? `${message} The cause: ${cause.message}.` : message
}

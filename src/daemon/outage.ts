import { isStoreTrouble } from '../engine/store-trouble.ts'
import type { Log } from './log.ts'

/** Tells of a store that takes nothing once, and not each time that somebody finds it so. */
export interface Outage {
  /** Hears what background work failed with. */
  readonly onError: (error: unknown) => void
  /** Hears that background work went well. */
  readonly over: () => void
}

/** Watches for outages of the store; anything else that fails goes to `onBug`. */
export function createOutage({
  log,
  nowMs,
  onBug,
}: {
  readonly log: Log
  readonly nowMs: () => number
  readonly onBug: (error: unknown) => void
}): Outage {
  let isOut = false
  /** Whether something failed since all went well the last time. */
  let isHeard = false
  return {
    onError(error) {
      if (!isStoreTrouble(error)) return onBug(error)
      isHeard = true
      if (isOut) return
      isOut = true
      log({ at_ms: nowMs(), level: 'error', message: `${whyOf(error)} What is due waits until then.` })
    },
    over() {
      const isOver = isOut && !isHeard
      isHeard = false
      if (!isOver) return
      isOut = false
      log({ at_ms: nowMs(), level: 'info', message: 'The database takes changes again.' })
    },
  }
}

// A client is told what to do; what is wrong with the store is for whoever reads the log.
function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message, cause } = error
  return cause instanceof Error ? `${message} The cause: ${cause.message}.` : message
}

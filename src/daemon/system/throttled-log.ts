import type { Log } from './log.ts'

/** Maximum number of entries with the same message within `PERIOD_MS`. */
const MAX_ENTRIES = 20
const PERIOD_MS = 10_000

/**
 * Creates a log for events that clients can cause without a key. The log omits entries above a limit per message and
 * adds their number to the next entry. Use the log only for a fixed set of messages, because the log never removes
 * messages from memory.
 */
export function createThrottledLog(log: Log): Log {
  const periods = new Map<string, { readonly startMs: number; written: number; omitted: number }>()
  return (entry) => {
    const { message, at_ms } = entry
    const last = periods.get(message)
    if (last !== undefined && Math.abs(at_ms - last.startMs) < PERIOD_MS) {
      if (last.written < MAX_ENTRIES) log(entry)
      else last.omitted += 1
      last.written += 1
      return
    }
    periods.set(message, { startMs: at_ms, written: 1, omitted: 0 })
    const omitted = last?.omitted ?? 0
    log(omitted === 0 ? entry : { ...entry, message: `${message} (${omitted} earlier entries omitted)` })
  }
}

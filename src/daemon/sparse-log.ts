import type { Log } from './log.ts'

/** How many entries with one message are written within `PERIOD_MS`. */
const MAX_ENTRIES = 20
const PERIOD_MS = 10_000

interface Period {
  readonly startMs: number
  written: number
  omitted: number
}

/**
 * A log for what anybody can cause without a key: it omits the entries with one message above a limit, and adds their
 * number to the next one that it writes. For a fixed set of messages.
 */
export function createSparseLog(log: Log): Log {
  const periods = new Map<string, Period>()
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

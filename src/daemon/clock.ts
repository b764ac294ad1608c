/** The one wall clock; tests put another in its place. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
}

/** The machine's own clock. */
export const systemClock: Clock = { nowMs: () => Date.now() }

/** The clock's time in whole Unix seconds. */
export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.nowMs() / 1000)
}

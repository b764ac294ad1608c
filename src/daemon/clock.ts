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

/** A difference between two machines that is worth a warning. */
const MAX_SKEW_MS = 2000

/** Warns when the machine's clock differs from the database's, which the service goes by. */
export function warnOfSkew(machine: Clock, database: Clock, warn: (message: string) => void): void {
  const skewMs = machine.nowMs() - database.nowMs()
  if (Math.abs(skewMs) <= MAX_SKEW_MS) return
  const skew = `${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs > 0 ? 'ahead of' : 'behind'} the database's`
  warn(
    `The clock of this machine is ${skew}. paycli uses the database's clock; check the time synchronization of both machines.`,
  )
}

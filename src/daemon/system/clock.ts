/** The wall clock; tests replace it. */
export interface Clock {
  /** Returns the time in Unix milliseconds. */
  readonly nowMs: () => number
  /** The time of retries, leases and heartbeats, which must pass also while `nowMs` is frozen (default: `nowMs`). */
  readonly unfrozenMs?: () => number
  /** Returns the time for signatures, which handlers compare with their own clock (default: `nowMs`). */
  readonly signatureMs?: () => number
}

/** The clock of this machine. */
export const systemClock: Clock = { nowMs: () => Date.now() }

/** Returns milliseconds, with fractions, of a clock for durations. */
export const monotonicMs = () => performance.now()

/** Returns the time of a clock in whole Unix seconds. */
export function getUnixSeconds(clock: Clock): number {
  return Math.floor(clock.nowMs() / 1000)
}

/** Returns the current time for retries, leases and heartbeats in whole Unix seconds. */
export function getUnfrozenSeconds({ nowMs, unfrozenMs = nowMs }: Clock): number {
  return Math.floor(unfrozenMs() / 1000)
}

const MAX_SKEW_MS = 2000

/** Warns when the clock of this machine differs by more than two seconds from the database clock, which paycli uses. */
export function warnOfClockSkew(machine: Clock, database: Clock, warn: (message: string) => void): void {
  const skewMs = machine.nowMs() - database.nowMs()
  if (Math.abs(skewMs) <= MAX_SKEW_MS) return
  const skew = `${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs > 0 ? 'ahead of' : 'behind'} the database's`
  warn(
    `The clock of this machine is ${skew}. paycli uses the database's clock; check the time synchronization of both machines.`,
  )
}

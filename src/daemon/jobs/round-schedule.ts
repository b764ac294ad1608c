import type { Store } from '../../store/port/store.ts'
import { type Clock, unfrozenSeconds } from '../system/clock.ts'

/**
 * Time until the next round for jobs that are still due: they failed, or wait for another process or for a listener.
 */
const RETRY_SECONDS = 5

/** Decides when the background jobs of a sandbox need a round, so that an idle sandbox costs nothing. */
export interface RoundSchedule {
  /** Marks the start of a round. */
  readonly begin: () => void
  /** Finds the next deadline; call it at the end of a round that did not fail. */
  readonly end: () => Promise<void>
  /** Makes the next round due at once. */
  readonly require: () => void
  readonly isDue: () => boolean
  /** Returns when the next round is due, in Unix seconds; Infinity for never, null for at once. */
  readonly sleepsUntil: () => number | null
}

/** A schedule in which a round is always due. */
export const ALWAYS_DUE: RoundSchedule = {
  begin() {},
  end: async () => {},
  require() {},
  isDue: () => true,
  sleepsUntil: () => null,
}

/** Creates a schedule whose first round is due; a round is always due while `isActive` returns true. */
export function createRoundSchedule(store: Store, clock: Clock, isActive: () => boolean): RoundSchedule {
  const now = () => unfrozenSeconds(clock)
  let isRequired = true
  let nextAt = Number.POSITIVE_INFINITY

  return {
    begin() {
      isRequired = false
      // Only end() sets a later time, so a failed round is repeated.
      nextAt = Number.NEGATIVE_INFINITY
    },
    async end() {
      const deadline = (await store.nextDeadline()) ?? Number.POSITIVE_INFINITY
      nextAt = deadline > now() ? deadline : now() + RETRY_SECONDS
    },
    require() {
      isRequired = true
    },
    isDue: () => isRequired || isActive() || nextAt <= now(),
    sleepsUntil: () => (isRequired || isActive() || nextAt <= now() ? null : nextAt),
  }
}

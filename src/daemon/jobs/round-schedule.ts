import type { Store } from '../../store/port/store.ts'
import { type Clock, getUnfrozenSeconds } from '../system/clock.ts'

/** Time until the next round when jobs are still due, because they failed or wait for another process or a listener. */
const RETRY_SECONDS = 5

type RoundSchedule = ReturnType<typeof createRoundSchedule>

/** A schedule in which a round is always due. */
export const ALWAYS_DUE: RoundSchedule = {
  begin() {},
  end: async () => {},
  require() {},
  isDue: () => true,
  sleepsUntil: () => null,
}

/**
 * Creates a schedule of the background jobs of a sandbox. An idle sandbox runs no rounds. The first round is due, and a
 * round is always due while `isActive` returns true.
 */
export function createRoundSchedule(store: Store, clock: Clock, isActive: () => boolean) {
  const now = () => getUnfrozenSeconds(clock)
  let isRequired = true
  let nextAt = Number.POSITIVE_INFINITY

  return {
    begin(): void {
      isRequired = false
      // Only end() sets a later time, so a failed round is repeated.
      nextAt = Number.NEGATIVE_INFINITY
    },
    /** Finds the next deadline; must be called at the end of a round that did not fail. */
    async end(): Promise<void> {
      const deadline = (await store.nextDeadline()) ?? Number.POSITIVE_INFINITY
      nextAt = deadline > now() ? deadline : now() + RETRY_SECONDS
    },
    /** Makes the next round due immediately. */
    require(): void {
      isRequired = true
    },
    isDue: () => isRequired || isActive() || nextAt <= now(),
    /** Returns the time of the next round in Unix seconds: Infinity for never, null for immediately. */
    sleepsUntil: () => (isRequired || isActive() || nextAt <= now() ? null : nextAt),
  }
}

import { useCallback, useState } from 'preact/hooks'
import type { CalendarDuration } from '../../../domain/time/clock-steps.ts'
import { post, RequestError } from '../../data/api-client.ts'

/** An advance of a clock from this screen. */
export interface AdvanceControl {
  /** The target in Unix seconds; null when no advance runs. */
  readonly target: number | null
  /** The error of the last advance; null if it succeeded. */
  readonly error: RequestError | null
  readonly advance: (target: number, step?: CalendarDuration) => Promise<void>
}

/**
 * Returns the state of advances of a clock and a function that starts one: to `target`, or by `step` if it is given.
 * Calls `onEnd` after each advance, also after a failed one.
 */
export function useAdvance(clock: string, onEnd: () => void): AdvanceControl {
  const [target, setTarget] = useState<number | null>(null)
  const [error, setError] = useState<RequestError | null>(null)
  const advance = useCallback(
    async (until: number, step?: CalendarDuration) => {
      setTarget(until)
      setError(null)
      try {
        await post(
          `/v1/test_helpers/test_clocks/${clock}/advance`,
          step === undefined ? { frozen_time: until } : { by: step },
        )
      } catch (failure) {
        if (!(failure instanceof RequestError)) throw failure
        setError(failure)
      } finally {
        setTarget(null)
        onEnd()
      }
    },
    [clock, onEnd],
  )
  return { target, error, advance }
}

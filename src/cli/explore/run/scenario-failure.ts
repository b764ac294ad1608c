import type { ScenarioFailureTiming } from '../model/run-record.ts'
import type { ScenarioRun } from './run-context.ts'

/** A scenario that fails later than this after a fault was waiting, and did not report the failed request. */
const MIN_WAIT_MS = 1500

/** Returns the timing of the failure of a scenario that has just ended. */
export async function classifyFailureTiming({
  recorder: { requests, deliveries, appChanges, elapsedMs },
  schedule,
  quiescence,
}: ScenarioRun): Promise<ScenarioFailureTiming> {
  const endMs = elapsedMs()
  if (await quiescence.hasPending()) return 'undelivered'
  const faults = [...requests, ...deliveries].filter(({ fault }) => fault !== null)
  const lastMs = Math.max(0, ...[...faults, ...appChanges].map(({ atMs }) => atMs))
  const delays = schedule.map(
    ({ options: { delay_ms = 0, retry_after = 0 } }) => delay_ms + 1000 * retry_after,
  )
  return endMs - lastMs < MIN_WAIT_MS + Math.max(0, ...delays) ? 'soon' : 'late'
}

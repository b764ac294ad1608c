import {
  listAdvancingOrDeletingClocks,
  listOwnBusyClockIds,
  resumeInterruptedClock,
  resumeInterruptedClocks,
} from '../../engine/clocks.ts'
import type { Runtime } from '../../engine/runtime.ts'
import { createLeases } from './leases.ts'

const CHECK_INTERVAL_MS = 2000

/**
 * Watches the test clocks of a store, so that only one process advances each clock. Without a shared store, resumes all
 * interrupted clocks immediately. Returns the function to call in each round, which renews the leases of clocks that
 * this process advances. Every two seconds, the function also resumes clocks of stopped processes. `takesAll`: see
 * LeasesOptions.
 */
export function startTestClockWatch(
  runtime: Runtime,
  monotonicMs: () => number,
  onError: (error: unknown) => void,
  takesAll = false,
): () => Promise<void> {
  const { store } = runtime
  if (store.coordinator === undefined) {
    // Do not await this call. A long advance runs in the background, and requests for its clock fail until it ends.
    resumeInterruptedClocks(runtime).catch(onError)
    return async () => {}
  }
  // Clocks that this process advances do not count toward its share; abandoned clocks are distributed among all
  // processes.
  const isOwn = (id: string) => listOwnBusyClockIds(store).includes(id)
  const leases = createLeases(store.coordinator, { prefix: 'clock:', monotonicMs, isOwn, takesAll })
  let checkedMs = Number.NEGATIVE_INFINITY

  return async () => {
    const own = listOwnBusyClockIds(store)
    if (monotonicMs() < checkedMs + CHECK_INTERVAL_MS) return leases.acquire(own)
    checkedMs = monotonicMs()
    const others = (await listAdvancingOrDeletingClocks(store)).filter(({ id }) => !own.includes(id))
    await leases.acquire([...own, ...others.map(({ id }) => id)])
    for (const clock of others)
      if (leases.holds(clock.id)) resumeInterruptedClock(runtime, clock).catch(onError)
  }
}

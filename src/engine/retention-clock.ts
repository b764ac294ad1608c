import { computeRetentionTime, type RetentionClockState } from '../domain/time/retention-clock.ts'
import type { Store } from '../store/port/store.ts'
import type { Runtime } from './runtime.ts'

/** The maximum number of marks that are read. The default retention keeps fewer marks. */
export const MAX_RETENTION_MARKS = 100

/** The clock state that this process last read, by store. */
const states = new WeakMap<Store, RetentionClockState>()

/** Returns the time for the age of records in Unix seconds. A forward jump of the clock takes effect a day later. */
export function getRetentionTime({ store, wallNow }: Pick<Runtime, 'store' | 'wallNow'>): number {
  const now = wallNow()
  const state = states.get(store)
  return state === undefined ? now : computeRetentionTime(state, now)
}

/** Reads the clock state that all processes of a store share. Call this function before `getRetentionTime`. */
export async function initializeRetentionClock(store: Store): Promise<void> {
  const newest = (await store.listOldest('retention_marks', MAX_RETENTION_MARKS)).at(-1)
  if (newest !== undefined) setRetentionClock(store, newest.clock)
}

/** Sets the shared clock state, after retention has read or changed this state. */
export function setRetentionClock(store: Store, state: RetentionClockState): void {
  states.set(store, state)
}

import { type ClockState, settledAt } from '../domain/time/settled-time.ts'
import type { Store } from '../store/port/store.ts'
import type { Runtime } from './runtime.ts'

/** An upper bound: the default retention keeps fewer marks. */
export const MAX_RETENTION_MARKS = 100

/** The state that this process last read, by store. */
const states = new WeakMap<Store, ClockState>()

/** Returns the Unix seconds to compare the age of records with. It follows a forward jump of the clock a day later. */
export function settledNow({ store, wallNow }: Pick<Runtime, 'store' | 'wallNow'>): number {
  const now = wallNow()
  const state = states.get(store)
  return state === undefined ? now : settledAt(state, now)
}

/** Reads the clock state that all processes of a store share. Call it before `settledNow`. */
export async function loadClockState(store: Store): Promise<void> {
  const newest = (await store.listOldest('retention_marks', MAX_RETENTION_MARKS)).at(-1)
  if (newest !== undefined) setClockState(store, newest.clock)
}

/** Sets the shared clock state after retention read or changed it. */
export function setClockState(store: Store, state: ClockState): void {
  states.set(store, state)
}

import { clockStateOf } from '../domain/retention.ts'
import { type ClockState, settledAt } from '../domain/settled-time.ts'
import type { Store } from '../store/port/store.ts'
import type { Runtime } from './runtime.ts'

/** More marks than the default retention keeps. */
export const MAX_MARKS = 100

/** The state that this process read last, by store. */
const states = new WeakMap<Store, ClockState>()

/** Returns the time in Unix seconds for judging the age of records: it follows a forward jump of the clock a day later. */
export function settledNow({ store, wallNow }: Pick<Runtime, 'store' | 'wallNow'>): number {
  const now = wallNow()
  const state = states.get(store)
  return state === undefined ? now : settledAt(state, now)
}

/** Reads the clock state that the processes of a store share. Call it before the age of anything is judged. */
export async function loadClockState(store: Store): Promise<void> {
  const newest = (await store.oldest('retention_marks', MAX_MARKS)).at(-1)
  if (newest !== undefined) noteClockState(store, clockStateOf(newest))
}

/** Notes the shared clock state after a sweep read or changed it. */
export function noteClockState(store: Store, state: ClockState): void {
  states.set(store, state)
}

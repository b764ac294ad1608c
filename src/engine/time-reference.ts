import { getReadyClockTime } from '../domain/time/test-clocks.ts'
import type { StoreReader } from '../store/port/store.ts'

/** The time of a change: the current time of a test clock (null: real time), or a fixed time in Unix seconds. */
export type TimeReference = { readonly testClock: string | null } | { readonly at: number }

/** The current real time. */
export const REAL_TIME: TimeReference = { testClock: null }

/** Returns a reference to the test clock of an object, or to real time for an object without a clock. */
export function getTimeReference({ test_clock }: { readonly test_clock: string | null }): TimeReference {
  return { testClock: test_clock }
}

/** Returns an effective time in Unix seconds. Rejects when the test clock is advancing, failed or deleted. */
export async function loadReferencedTime(
  time: TimeReference,
  reader: StoreReader,
  wallNow: number,
): Promise<number> {
  if ('at' in time) return time.at
  const { testClock } = time
  return testClock === null
    ? wallNow
    : getReadyClockTime(await reader.get('test_clocks', testClock), testClock)
}

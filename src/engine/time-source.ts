import { timeOn } from '../domain/test-clocks.ts'
import type { Reader } from '../store/port/store.ts'

/** When something happens: now on a test clock, now in real time (null), or at a given moment in Unix seconds. */
export type Moment = { readonly testClock: string | null } | { readonly at: number }

/** Now, on the wall. */
export const realTime: Moment = { testClock: null }

/** Now on the clock that an object lives on. */
export function onClockOf({ test_clock }: { readonly test_clock: string | null }): Moment {
  return { testClock: test_clock }
}

/** A moment in Unix seconds; refuses to change anything on a test clock that is advancing, broken or deleted. */
export async function unixOf(moment: Moment, reader: Reader, wallNow: number): Promise<number> {
  if ('at' in moment) return moment.at
  const { testClock } = moment
  return testClock === null ? wallNow : timeOn(await reader.get('test_clocks', testClock), testClock)
}

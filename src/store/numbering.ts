import type { Event, UnsequencedEvent } from '../domain/events.ts'

/** Events with the numbers that follow the newest one's, in the given order. */
export function numberEvents(events: readonly UnsequencedEvent[], newest: number): Event[] {
  return events.map(({ test_clock, ...rest }, index) => ({
    ...rest,
    sequence: newest + index + 1,
    test_clock,
  }))
}

import type { Event, UnsequencedEvent } from '../../domain/events/events.ts'

/** The newest event of the sequence. */
export interface SequenceHead {
  /** Sequence number of the newest event; 0 before the first event. */
  sequence: number
  /** `created` of the newest event without a test clock, in Unix seconds; 0 before the first event. */
  lastCreated: number
}

/**
 * Assigns the next sequence numbers to events, in the given order. `created` of events without a test clock never
 * decreases, even if the clocks of processes differ or a clock is set back.
 */
export function assignSequenceNumbers(
  events: readonly UnsequencedEvent[],
  head: Readonly<SequenceHead>,
): { readonly events: Event[]; readonly head: SequenceHead } {
  let { sequence, lastCreated } = head
  const sequenced = events.map((event) => {
    sequence += 1
    if (event.test_clock !== null) return { ...event, sequence }
    lastCreated = Math.max(lastCreated, event.created)
    return { ...event, created: lastCreated, sequence }
  })
  return { events: sequenced, head: { sequence, lastCreated } }
}

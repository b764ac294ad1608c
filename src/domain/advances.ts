import { type Change, creation, removal } from './changes.ts'
import type { EventRequest } from './events.ts'
import { type KeyedRequest, successAnswer, useKey } from './idempotency.ts'
import type { TestClock } from './test-clocks.ts'

/** Who asked for something that takes more than one transaction. */
export interface Asking {
  readonly request: EventRequest
  /** Null when it was asked for without an idempotency key. */
  readonly keyed: KeyedRequest | null
}

/**
 * The request that moves a clock, or deletes it, while that goes on; private. Both take many transactions, so whoever
 * goes on after a stop must know for whom.
 */
export interface Advance extends Asking {
  /** The id of the clock. */
  readonly id: string
  readonly object: 'advance'
}

/** Notes who moves a clock, or deletes it. */
export function noteAdvance({ id }: TestClock, { request, keyed }: Asking): Change {
  const advance: Advance = { id, object: 'advance', request, keyed }
  return creation(null, advance)
}

/** A clock that stands still again answers whoever moved it; one that broke, null here, leaves the key free. */
export function endOfAdvance(advance: Advance | null, clock: TestClock | null): Change[] {
  if (advance === null) return []
  const { keyed, request } = advance
  const ended = removal(advance)
  if (keyed === null) return [ended]
  if (clock === null) return [ended, removal(useKey(keyed, null))]
  return [ended, creation(null, useKey(keyed, successAnswer(clock, request.id)))]
}

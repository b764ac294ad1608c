import { type Change, toCreation, toRemoval } from '../core/changes.ts'
import type { EventRequest } from '../events/events.ts'
import {
  createIdempotencyKey,
  createStoredResponse,
  type IdempotentRequest,
} from '../requests/idempotency.ts'
import type { TestClock } from '../time/test-clocks.ts'

/** The request that started an operation of several transactions. */
export interface OriginatingRequest {
  readonly request: EventRequest
  /** The request with its idempotency key; null when the request has no key. */
  readonly keyed: IdempotentRequest | null
}

/**
 * Internal record: the request that advances or deletes a test clock, stored while the operation runs. After a restart,
 * the resumed operation stores its response for this request.
 */
export interface UnfinishedClockRequest extends OriginatingRequest {
  /** The id of the test clock that is advanced or deleted. */
  readonly id: string
  readonly object: 'advance'
}

/** Stores the request that advances or deletes a test clock. */
export function storeUnfinishedClockRequest(
  { id }: TestClock,
  { request, keyed }: OriginatingRequest,
): Change {
  const advance: UnfinishedClockRequest = { id, object: 'advance', request, keyed }
  return toCreation(null, advance)
}

/**
 * Ends an advance and stores the clock as the response of its idempotency key. After a failure, `clock` is null and the
 * key is removed.
 */
export function finishClockRequest(
  advance: UnfinishedClockRequest | null,
  clock: TestClock | null,
): Change[] {
  if (advance === null) return []
  const { keyed, request } = advance
  const ended = toRemoval(advance)
  if (keyed === null) return [ended]
  if (clock === null) return [ended, toRemoval(createIdempotencyKey(keyed, null))]
  return [ended, toCreation(null, createIdempotencyKey(keyed, createStoredResponse(clock, request.id)))]
}

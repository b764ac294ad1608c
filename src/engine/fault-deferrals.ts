import type { Change } from '../domain/core/changes.ts'
import { deferDelivery, type WebhookDelivery } from '../domain/events/webhook-deliveries.ts'
import type { Fault, FaultType } from '../domain/faults/faults.ts'
import type { Store, StoreReader } from '../store/port/store.ts'
import { commitRecordChanges } from './commit.ts'

/** Maximum time for which a `swap` waits for the next delivery. */
const SWAP_SECONDS = 10

const DEFERRALS: readonly FaultType[] = ['delay_delivery', 'hold', 'swap']

/** Returns whether a fault defers its delivery attempt. */
export function isDeferringFault({ type }: Fault): boolean {
  return DEFERRALS.includes(type)
}

interface DeferAttemptOptions {
  /** The current wall time in Unix milliseconds. */
  readonly nowMs: number
  /** The delivery of the endpoint that was last deferred by a `swap`; undefined if there is no such delivery. */
  readonly swapped: string | undefined
}

/**
 * Defers a pending delivery because of a fault. Resolves with false when the delivery must be sent now: its fault was
 * deleted, or another delivery waits to be swapped with it.
 */
export function deferAttempt(
  store: Store,
  due: WebhookDelivery,
  fault: Fault,
  { nowMs, swapped }: DeferAttemptOptions,
): Promise<boolean> {
  return commitRecordChanges(store, async (reader) => {
    const delivery = await reader.get('webhook_deliveries', due.id)
    if (delivery?.status !== 'pending' || delivery.fault !== null) return { changes: [], result: true }
    const now = nowMs / 1000
    const isSwapped = fault.type === 'swap' && (await findSwappedDelivery(reader, swapped, now)) !== null
    // If the fault is already deleted, nothing would release the delivery.
    if (isSwapped || (await reader.get('faults', fault.id)) === null) return { changes: [], result: false }
    const changes: Change[] = [deferDelivery(delivery, fault.id, deferralEnd(fault, now))]
    return { changes, result: true }
  })
}

function deferralEnd({ type, delay_ms, expires_at }: Fault, now: number): number | null {
  if (type === 'hold') return expires_at
  return now + (type === 'swap' ? SWAP_SECONDS : (delay_ms ?? 0) / 1000)
}

/** Returns the delivery that a `swap` deferred if it still waits for the next delivery, or null; `now` in Unix seconds. */
export async function findSwappedDelivery(
  reader: StoreReader,
  swapped: string | undefined,
  now: number,
): Promise<WebhookDelivery | null> {
  const delivery = swapped === undefined ? null : await reader.get('webhook_deliveries', swapped)
  return delivery?.status === 'pending' && (delivery.next_attempt_at ?? 0) > now ? delivery : null
}

import type { Event } from '../domain/events/events.ts'
import type { WebhookDelivery } from '../domain/events/webhook-deliveries.ts'
import type { FaultPoint } from '../domain/faults/fault-matching.ts'
import type { Fault } from '../domain/faults/faults.ts'
import type { FaultRules } from '../engine/fault-rules.ts'
import type { DueDelivery } from './delivery-attempts.ts'

/** The rules that select faults of deliveries. */
export type DeliveryFaults = Pick<FaultRules, 'has' | 'claim'>

/** Rules that never select a fault. */
export const NO_FAULTS: DeliveryFaults = { has: () => false, claim: async () => null }

/** Returns an attempt to deliver an event to an endpoint as a point at which faults may apply. */
export function toFaultPoint(event: Event, endpoint: string): FaultPoint {
  const object: { readonly object?: unknown; readonly id?: unknown; readonly customer?: unknown } =
    event.data.object
  const customer = object.object === 'customer' ? object.id : object.customer
  return {
    kind: 'delivery',
    event_type: event.type,
    webhook_endpoint: endpoint,
    customer: typeof customer === 'string' ? customer : null,
  }
}

/** The faults that were chosen for attempts that are not recorded yet. */
interface FaultClaims {
  /** Chooses the fault of an attempt, or null; an attempt that is made again is not matched again. */
  readonly claim: (delivery: WebhookDelivery, due: DueDelivery) => Promise<Fault | null>
  /** Returns the fault of an attempt, or null; undefined before it is chosen. */
  readonly get: (delivery: string) => Fault | null | undefined
  readonly forget: (delivery: string) => void
}

/** Creates an empty set of claims; `onClaim` is called with each new one. */
export function createFaultClaims(
  faults: DeliveryFaults,
  onClaim?: (delivery: string, fault: Fault | null) => void,
): FaultClaims {
  const claims = new Map<string, Fault | null>()
  return {
    async claim(delivery, { event, endpoint }) {
      const known = claims.get(delivery.id)
      if (known !== undefined) return known
      // A deferred delivery was matched when it was deferred.
      const isClaimable = delivery.fault === null && event !== null && endpoint !== null
      const fault = isClaimable ? await faults.claim(toFaultPoint(event, endpoint.id)) : null
      claims.set(delivery.id, fault)
      onClaim?.(delivery.id, fault)
      return fault
    },
    get: (delivery) => claims.get(delivery),
    forget: (delivery) => claims.delete(delivery),
  }
}

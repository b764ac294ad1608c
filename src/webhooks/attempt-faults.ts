import type { Event } from '../domain/events/events.ts'
import type { WebhookDelivery } from '../domain/events/webhook-deliveries.ts'
import type { FaultTarget } from '../domain/faults/fault-matching.ts'
import type { Fault } from '../domain/faults/faults.ts'
import type { FaultRuleCache } from '../engine/fault-rule-cache.ts'
import type { DueDelivery } from './delivery-attempts.ts'

/** The rules that select faults of deliveries. */
export type DeliveryFaultSelector = Pick<FaultRuleCache, 'has' | 'select'>

/** Returns the fault target for an attempt to deliver an event to an endpoint. */
export function createDeliveryFaultTarget(event: Event, endpoint: string): FaultTarget {
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

/**
 * Creates an empty map of the faults that were chosen for unrecorded attempts. Calls `onFaultSelected` with each chosen
 * fault.
 */
export function createFaultSelections(
  faults: DeliveryFaultSelector,
  onFaultSelected: (delivery: string, fault: Fault | null) => void,
) {
  const selected = new Map<string, Fault | null>()
  return {
    /** Selects the fault of an attempt, or null; a repeated attempt keeps the selected fault. */
    async select(delivery: WebhookDelivery, { event, endpoint }: DueDelivery): Promise<Fault | null> {
      const known = selected.get(delivery.id)
      if (known !== undefined) return known
      // A deferred delivery already matched its fault before the deferral.
      const isSelectable = delivery.fault === null && event !== null && endpoint !== null
      const fault = isSelectable ? await faults.select(createDeliveryFaultTarget(event, endpoint.id)) : null
      selected.set(delivery.id, fault)
      onFaultSelected(delivery.id, fault)
      return fault
    },
    /** Returns the fault of an attempt, or null; undefined before the choice of a fault. */
    get: (delivery: string) => selected.get(delivery),
    delete: (delivery: string) => selected.delete(delivery),
  }
}

import type { EventType } from '../../domain/core/event-types.ts'
import type { Event } from '../../domain/events/events.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import type { Query } from './api-client.ts'
import type { ListSource } from './use-list.ts'

const EVENT_TYPES = [
  'payment.created',
  'payment.requires_action',
  'payment.succeeded',
  'payment.failed',
  'payment.canceled',
  'payment.refunded',
  'payment.updated',
] as const satisfies readonly EventType[]

interface PaymentSourceOptions {
  /** The parameters of `GET /v1/payments`. */
  readonly query: Query
  /**
   * A test clock; null for all payments. The list of payments has no filter for clocks, but the list of events has one.
   */
  readonly testClock: string | null
  readonly isWanted: (payment: Payment) => boolean
}

/** Returns the source of payments. */
export function paymentSource({ query, testClock, isWanted }: PaymentSourceOptions): ListSource<Payment> {
  const isRelevant = ({ type }: Event) => type.startsWith('payment.')
  if (testClock === null) return { path: '/v1/payments', query, isWanted, isRelevant }
  return {
    path: '/v1/events',
    query: { types: EVENT_TYPES, test_clock: testClock, 'created[gte]': query['created[gte]'] },
    // A payment with several events occurs several times; its newest state comes first.
    itemsOf: (event) => paymentOf(event as Event),
    // Sorted by the creation of the payment, because its events are newer. All payments have the same clock, so their
    // times are comparable.
    compare: (a, b) => b.created - a.created,
    search: JSON.stringify(query),
    isWanted,
    isRelevant,
  }
}

function paymentOf({ data: { object } }: Event): Payment[] {
  return object.object === 'payment' ? [object as Payment] : []
}

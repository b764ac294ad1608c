import type { EventType } from '../../../domain/core/event-types.ts'
import type { Event } from '../../../domain/events/events.ts'
import type { Payment } from '../../../domain/payments/payments.ts'
import type { ListSource } from '../../data/use-list.ts'
import { eventTypeFilter } from '../../data/use-live-feed.ts'
import {
  isMatchingPayment,
  type PaymentFilters,
  REAL_TIME_FILTER,
  toPaymentsQuery,
} from './payment-filters.ts'

const EVENT_TYPES = [
  'payment.created',
  'payment.requires_action',
  'payment.succeeded',
  'payment.failed',
  'payment.canceled',
  'payment.refunded',
  'payment.updated',
] as const satisfies readonly EventType[]

/**
 * Returns the source of payments. Those on a test clock are read from its events, because the list of payments has no
 * filter for clocks.
 */
export function paymentListSource(filters: PaymentFilters): ListSource<Payment> {
  const query = toPaymentsQuery(filters)
  const shared = {
    isWanted: (one: Payment) => isMatchingPayment(one, filters),
    isRelevant: eventTypeFilter(/^payment\./),
  }
  if (filters.customer !== '' || filters.test_clock === REAL_TIME_FILTER)
    return { path: '/v1/payments', query, search: filters.test_clock, ...shared }
  return {
    path: '/v1/events',
    query: { types: EVENT_TYPES, test_clock: filters.test_clock, 'created[gte]': query['created[gte]'] },
    // A payment with several events occurs several times; its newest state comes first.
    itemOf: (event) => (event as Event).data.object as Payment,
    // Sorted by the creation of the payment, because its events are newer. All payments have the same clock, so their
    // times are comparable.
    compare: (a, b) => b.created - a.created,
    search: JSON.stringify(query),
    ...shared,
  }
}

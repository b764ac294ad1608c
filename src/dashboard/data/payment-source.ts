import type { EventType } from '../../domain/core/event-types.ts'
import type { Event } from '../../domain/events/events.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import { get, type Page, type Query } from './api-client.ts'
import type { ObjectPage, PageSource } from './use-pages.ts'

const LIMIT = 50
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
  /** A test clock; null for all payments. The list of payments has no such filter, but that of events has. */
  readonly testClock: string | null
  readonly isWanted: (payment: Payment) => boolean
}

/** Creates the source of payments. */
export function paymentSource({ query, testClock, isWanted }: PaymentSourceOptions): PageSource<Payment> {
  return {
    key: JSON.stringify([query, testClock]),
    isWanted,
    // The events of a payment are newer than the payment. All payments of a test clock have the same clock.
    ...(testClock === null ? {} : { compare: (a: Payment, b: Payment) => b.created - a.created }),
    isRelevant: ({ type }) => type.startsWith('payment.'),
    async readPage(after, signal): Promise<ObjectPage<Payment>> {
      const position = { limit: LIMIT, starting_after: after ?? undefined }
      if (testClock === null) {
        const page = await get<Page<Payment>>('/v1/payments', { ...query, ...position }, signal)
        return { items: page.data, next: nextOf(page) }
      }
      // A page may contain payments of earlier pages again, in an older state.
      const events = { types: EVENT_TYPES, test_clock: testClock, 'created[gte]': query['created[gte]'] }
      const page = await get<Page<Event>>('/v1/events', { ...events, ...position }, signal)
      return { items: page.data.flatMap(paymentOf), next: nextOf(page) }
    },
  }
}

function paymentOf({ data: { object } }: Event): Payment[] {
  return object.object === 'payment' ? [object as Payment] : []
}

/** Returns the position after a page; null for the last one. */
export function nextOf({ data, has_more }: Page<{ readonly id: string }>): string | null {
  return has_more ? (data.at(-1)?.id ?? null) : null
}

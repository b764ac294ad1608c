import type { CheckoutSession } from './checkout-sessions.ts'
import type { PaymentSession } from './payment-sessions.ts'
import type { WebhookDelivery } from './webhook-deliveries.ts'

/** When time has something to do to a record: `at` in Unix seconds; at the same instant the lower rank goes first. */
export interface Deadline {
  readonly queue: string
  readonly at: number
  readonly rank: number
}

/** The queue of everything that lives on real time. */
export const REAL_TIME = 'real'

const RANK = { sessionExpiry: 0, delivery: 0 }

/** The queue of an object's own time: its test clock's, or real time. */
export function timeQueue(testClock: string | null): string {
  return testClock === null ? REAL_TIME : `clock:${testClock}`
}

/** The queue of the first deliveries to one endpoint. */
export function deliveryQueue(webhookEndpoint: string): string {
  return `deliveries:${webhookEndpoint}`
}

/** The queue of the retries to one endpoint: apart, so that however many are due, they hide no first delivery. */
export function retryQueue(webhookEndpoint: string): string {
  return `retries:${webhookEndpoint}`
}

/** The deadline that follows from a record's own fields, or null: so none can be forgotten or go stale. */
export function deadlineOf(record: { readonly object: string }): Deadline | null {
  switch (record.object) {
    case 'checkout_session':
    case 'payment_session':
      return sessionDeadline(record as CheckoutSession | PaymentSession)
    case 'webhook_delivery':
      return deliveryDeadline(record as WebhookDelivery)
    default:
      return null
  }
}

function sessionDeadline(session: CheckoutSession | PaymentSession): Deadline | null {
  if (session.status !== 'open') return null
  return { queue: timeQueue(session.test_clock), at: session.expires_at, rank: RANK.sessionExpiry }
}

function deliveryDeadline(delivery: WebhookDelivery): Deadline | null {
  if (delivery.status !== 'pending' || delivery.next_attempt_at === null) return null
  const queueOf = delivery.attempt === 1 ? deliveryQueue : retryQueue
  return {
    queue: queueOf(delivery.webhook_endpoint),
    at: delivery.next_attempt_at,
    rank: RANK.delivery,
  }
}

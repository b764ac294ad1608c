import { invoiceItemSchema } from '../billing/invoice-items.ts'
import { invoiceSchema } from '../billing/invoices.ts'
import { subscriptionSchema } from '../billing/subscriptions.ts'
import { cardSessionSchema } from '../completion/card-sessions.ts'
import { type Change, isDeleted, type RuleContext, type StoredObject } from '../core/changes.ts'
import { EVENT_TYPES, type EventObjectName, type EventType } from '../core/event-types.ts'
import * as s from '../core/schema.ts'
import { customerSchema } from '../payments/customers.ts'
import { disputeSchema } from '../payments/disputes.ts'
import { paymentMethodSchema } from '../payments/payment-methods.ts'
import { paymentSchema } from '../payments/payments.ts'
import { refundSchema } from '../payments/refunds.ts'
import { API_VERSION } from '../requests/api-version.ts'
import { checkoutSessionSchema } from '../sessions/checkout-sessions.ts'
import { couponSchema } from '../sessions/coupons.ts'
import { paymentSessionSchema } from '../sessions/payment-sessions.ts'
import { portalSessionSchema } from '../sessions/portal-sessions.ts'
import { promotionCodeSchema } from '../sessions/promotion-codes.ts'
import { testClockSchema } from '../time/test-clocks.ts'

/** The schema of the object of an event, by the first part of the event type. */
export const EVENT_OBJECT_SCHEMAS: { readonly [Name in EventObjectName]: s.ObjectSchema<StoredObject> } = {
  customer: customerSchema,
  checkout_session: checkoutSessionSchema,
  payment_session: paymentSessionSchema,
  card_session: cardSessionSchema,
  portal_session: portalSessionSchema,
  payment_method: paymentMethodSchema,
  payment: paymentSchema,
  subscription: subscriptionSchema,
  invoice: invoiceSchema,
  invoice_item: invoiceItemSchema,
  coupon: couponSchema,
  promotion_code: promotionCodeSchema,
  refund: refundSchema,
  dispute: disputeSchema,
  test_clock: testClockSchema,
}

const request = s.object(
  {
    id: s.id('The Request-Id of the request.'),
    idempotency_key: s.nullable(
      s.text('The idempotency key of the request, with card numbers masked; null without a key.'),
    ),
  },
  'The request to the API or the customer portal that caused the event; null for other events.',
)

/** The request that caused an event. Events of the scheduler or a hosted page other than the portal have no request. */
export type EventRequest = s.ValueOf<typeof request>

export interface EventData {
  readonly object: StoredObject
  readonly previous_attributes?: Readonly<Record<string, unknown>>
}

/** The schema of the data of an event. */
export const eventDataSchema = {
  ...s.object(
    {
      object: {
        anyOf: Object.values(EVENT_OBJECT_SCHEMAS),
        description: 'The object after the change, or the last state of a deleted object.',
      },
      previous_attributes: {
        type: 'object',
        description:
          'The previous values of the fields that changed; absent in the first event of an object.',
      },
    },
    'The object and its previous values.',
  ),
  required: ['object'],
} as s.Schema<EventData>

/** The schema of an event. */
export const eventSchema = s.resourceObject(
  'event',
  'A change to one object, as sent to webhook endpoints.',
  {
    type: s.enumOf(EVENT_TYPES, 'The event type.'),
    api_version: s.constant(API_VERSION, 'The API version of the object.'),
    data: eventDataSchema,
    pending_webhooks: s.integer(0, 'The number of webhook endpoints that have not received the event yet.'),
    request: s.nullable(request),
    sequence: s.integer(1, 'The position among all events of the sandbox, from 1 without gaps.'),
    test_clock: s.metadataAndClockProperties.test_clock,
  },
)

export type Event = s.ValueOf<typeof eventSchema>

/**
 * An event before the store assigns its number in the gapless sequence. `sequence` is 0 until then, so that the order
 * of the fields does not change.
 */
export type UnsequencedEvent = Event & { readonly sequence: 0 }

/**
 * Returns the previous values of all changed top-level fields, with arrays and objects in full. Merging these values
 * into `after` restores `before`.
 */
export function computePreviousAttributes(
  before: StoredObject,
  after: StoredObject,
): Record<string, unknown> {
  const old: Record<string, unknown> = {}
  const from = before as StoredObject & Fields
  const to = after as StoredObject & Fields
  for (const field in from) if (!isSameValue(from[field], to[field])) old[field] = from[field]
  return old
}

type Fields = Readonly<Record<string, unknown>>

// Compare references first: most fields are identical, and serializing all fields takes as long as the change itself.
function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b || typeof a !== 'object' || typeof b !== 'object') return a === b
  return JSON.stringify(a) === JSON.stringify(b)
}

/**
 * Returns the event of a change, or null for records without events. The event of a deletion contains the last state.
 */
export function toEvent(
  change: Change,
  request: EventRequest | null,
  context: RuleContext,
): UnsequencedEvent | null {
  const { event, before, after } = change
  if (event === null) return null
  const isDeletion = after === null || isDeleted(after)
  const object = isDeletion ? before : after
  if (object === null) return null
  return {
    id: context.newId('evt_'),
    object: 'event',
    type: event,
    api_version: API_VERSION,
    // Events of a test clock itself use real time, because an advance changes the clock's own time.
    created: change.created ?? (object.object === 'test_clock' ? context.wallNow : context.now),
    livemode: false,
    data:
      before === null
        ? { object }
        : { object, previous_attributes: computePreviousAttributes(before, object) },
    pending_webhooks: 0,
    request,
    sequence: 0,
    test_clock: testClockOf(object),
  }
}

function testClockOf(object: StoredObject): string | null {
  return 'test_clock' in object && typeof object.test_clock === 'string' ? object.test_clock : null
}

/** Returns whether `enabled_events` include a type: by name, `*`, or a prefix such as `subscription.*`. */
export function isEventEnabled(type: EventType, enabledEvents: readonly string[]): boolean {
  return enabledEvents.some((pattern) => {
    if (pattern === '*' || pattern === type) return true
    return pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1))
  })
}

/**
 * Returns whether a pattern of `enabled_events` matches any event type: a known type, `*`, or a known prefix with `.*`.
 */
export function isValidEventPattern(pattern: string): boolean {
  return EVENT_TYPES.some((type) => isEventEnabled(type, [pattern]))
}

import type { StoredObject } from '../../domain/changes.ts'
import { EVENT_TYPES, type EventType } from '../../domain/event-types.ts'
import type { Event, EventRequest } from '../../domain/events.ts'
import type { ObjectSchema, Schema } from '../schema/schema.ts'
import { checkoutSession } from './checkout-sessions.ts'
import { customer } from './customers.ts'
import {
  constant,
  type Exactly,
  id,
  integer,
  metadataAndClock,
  nullable,
  object,
  oneOf,
  text,
} from './fields.ts'
import { invoice } from './invoices.ts'
import { paymentMethod } from './payment-methods.ts'
import { paymentSession } from './payment-sessions.ts'
import { payment } from './payments.ts'
import { refund } from './refunds.ts'
import { defineResource } from './resource.ts'
import { subscription } from './subscriptions.ts'
import { testClock } from './test-clocks.ts'

type ObjectOf<T> = T extends `${infer Name}.${string}` ? Name : never

/** The schema of the object of an event, by the first part of the event type. */
const EVENT_OBJECTS: { readonly [Name in ObjectOf<EventType>]: ObjectSchema<unknown> } = {
  customer: customer.schema,
  checkout_session: checkoutSession.schema,
  payment_session: paymentSession.schema,
  payment_method: paymentMethod.schema,
  payment: payment.schema,
  subscription: subscription.schema,
  invoice: invoice.schema,
  refund: refund.schema,
  test_clock: testClock.schema,
}

const request: Exactly<EventRequest> = object(
  {
    id: id('The Request-Id of the request.'),
    idempotency_key: nullable(
      text('The idempotency key of the request, with card numbers masked; null if it had none.'),
    ),
  },
  'The API request that caused the event; null if none did.',
)

const data: Exactly<Event['data']> = object<Event['data']>(
  {
    object: {
      anyOf: Object.values(EVENT_OBJECTS),
      description: 'The object after the change; a deleted object in its last state.',
    } as Exactly<StoredObject>,
    previous_attributes: {
      type: 'object',
      description: 'The previous values of the fields that changed; absent in the first event of an object.',
    } as Exactly<Readonly<Record<string, unknown>>>,
  },
  'The object and its previous values.',
  ['previous_attributes'],
)

/** The event resource. */
export const event = defineResource('events', {
  type: oneOf(EVENT_TYPES, 'The event type.'),
  api_version: constant('1', 'The API version of the object.'),
  data,
  pending_webhooks: integer(0, 'The number of webhook endpoints that have not received the event yet.'),
  request: nullable(request),
  sequence: integer(1, 'The position among all events of the sandbox, from 1 without gaps.'),
  test_clock: metadataAndClock.test_clock,
})

/** Returns the schema of a delivered event of one type, with the schema of its object. */
export function createPayloadSchema(type: EventType): ObjectSchema<unknown> {
  const [name] = type.split('.', 1)
  const changed = EVENT_OBJECTS[name as ObjectOf<EventType>]
  const previous: Schema<unknown> = {
    title: `${name}_changes`,
    type: 'object',
    description: 'The previous values of the fields that changed.',
    properties: changed.properties,
    additionalProperties: false,
  }
  const payload = {
    type: 'object',
    description: data.description ?? '',
    properties: { object: changed, previous_attributes: previous },
    required: ['object'],
    additionalProperties: false,
  }
  const { title: _title, ...schema } = event.schema
  const properties = { ...schema.properties, type: constant(type, 'The event type.'), data: payload }
  return { ...schema, properties }
}

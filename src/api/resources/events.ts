import type { Stored } from '../../domain/changes.ts'
import { EVENT_TYPES, type EventType } from '../../domain/event-types.ts'
import type { Event, EventRequest } from '../../domain/events.ts'
import type { ObjectSchema, Schema } from '../schema/schema.ts'
import { checkoutSession } from './checkout-sessions.ts'
import { customer } from './customers.ts'
import {
  count,
  type Exactly,
  type Fields,
  group,
  head,
  oneOf,
  only,
  orNull,
  reference,
  resource,
  tail,
  words,
} from './fields.ts'
import { invoice } from './invoices.ts'
import { paymentMethod } from './payment-methods.ts'
import { paymentSession } from './payment-sessions.ts'
import { payment } from './payments.ts'
import { refund } from './refunds.ts'
import { subscription } from './subscriptions.ts'
import { testClock } from './test-clocks.ts'

type ObjectOf<T> = T extends `${infer Name}.${string}` ? Name : never

/** What events tell of, by the first part of their type. */
const TOLD: { readonly [Name in ObjectOf<EventType>]: ObjectSchema<unknown> } = {
  customer,
  checkout_session: checkoutSession,
  payment_session: paymentSession,
  payment_method: paymentMethod,
  payment,
  subscription,
  invoice,
  refund,
  test_clock: testClock,
}

const request: Exactly<EventRequest> = group(
  {
    id: reference('The Request-Id of the call.'),
    idempotency_key: orNull(words('The key it was sent with; a card number in it is masked.')),
  },
  'The call that caused it.',
)

const data: Exactly<Event['data']> = group<Event['data']>(
  {
    object: {
      anyOf: Object.values(TOLD),
      description: 'The object as it was then; of a deleted one, its last state.',
    } as Exactly<Stored>,
    previous_attributes: {
      type: 'object',
      description: 'What the fields that changed had been before; absent in the first event of an object.',
    } as Exactly<Readonly<Record<string, unknown>>>,
  },
  'What it tells.',
  ['previous_attributes'],
)

/** An event as answers and deliveries show it. */
export const event: Fields<Event> = resource<Event>('event', 'What happened to one object.', {
  ...head('event', 'event'),
  type: oneOf(EVENT_TYPES, 'What happened.'),
  api_version: only('1', 'The version of the objects in it.'),
  data,
  pending_webhooks: count(0, 'How many endpoints still have to be told.'),
  request: orNull(request),
  sequence: count(1, 'Its place among all events of the sandbox, without gaps.'),
  test_clock: tail.test_clock,
})

/** What an endpoint is sent for a type of event: the event with the one kind of object it tells of. */
export function payloadOf(type: EventType): ObjectSchema<unknown> {
  const [name] = type.split('.', 1)
  const object = TOLD[name as ObjectOf<EventType>]
  const before: Schema<unknown> = {
    title: `${name}_changes`,
    type: 'object',
    description: 'What the fields that changed had been before.',
    properties: object.properties,
    additionalProperties: false,
  }
  const properties = { object, previous_attributes: before }
  const told = { type: 'object', properties, required: ['object'], additionalProperties: false }
  const { title: _title, ...shape } = event
  return { ...shape, properties: { ...event.properties, type: only(type, 'What happened.'), data: told } }
}

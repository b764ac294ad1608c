import fc from 'fast-check'
import type { UnsequencedEvent } from '../../src/domain/events/events.ts'
import {
  checkoutSession,
  customer,
  delivery,
  event,
  invoice,
  paymentSession,
  subscription,
} from './fixture.ts'
import type { Fields } from './naive-store.ts'
import { SAMPLES } from './samples.ts'

const oneOf = fc.constantFrom
/** A small range, so that many records share a timestamp. */
export const anyTime = fc.integer({ min: 0, max: 5 })
const anyMaybeTime = fc.option(anyTime)
const anyId = (prefix: string) => fc.integer({ min: 0, max: 7 }).map((number) => `${prefix}${number}`)
const anyEmail = oneOf('a@x.example', 'b@x.example', 'c@x.example')
const anyClock = oneOf(null, 'clock_1')

const anyDraft: fc.Arbitrary<Fields> = fc
  .oneof(
    fc
      .tuple(anyId('cus_'), fc.record({ created: anyTime, email: anyEmail, test_clock: anyClock }))
      .map(([id, fields]) => customer(id, fields)),
    anyId('cus_').map((id) => ({ id, object: 'customer', deleted: true })),
    fc
      .tuple(
        anyId('py_sess_'),
        fc.record({
          created: anyTime,
          customer: anyId('cus_'),
          status: oneOf('open', 'open', 'complete', 'expired'),
          expires_at: anyTime,
          test_clock: anyClock,
        }),
      )
      .map(([id, fields]) => paymentSession(id, fields)),
    fc
      .tuple(
        anyId('cks_'),
        fc.record({
          created: anyTime,
          status: oneOf('open', 'complete'),
          expires_at: anyTime,
          subscription: oneOf(null, 'sub_1'),
        }),
      )
      .map(([id, fields]) => checkoutSession(id, fields)),
    fc
      .tuple(
        anyId('sub_'),
        fc.record({
          created: anyTime,
          customer: oneOf('cus_1', 'cus_2'),
          status: oneOf('active', 'past_due', 'canceled'),
          current_period_end: anyMaybeTime,
          start_date: anyTime,
          test_clock: anyClock,
        }),
      )
      .map(([id, fields]) => subscription(id, fields)),
    fc
      .tuple(
        anyId('in_'),
        fc.record({
          created: anyTime,
          customer: oneOf('cus_1', 'cus_2'),
          subscription: oneOf(null, 'sub_1'),
          status: oneOf('draft', 'open', 'paid'),
          due_date: anyMaybeTime,
        }),
      )
      .map(([id, fields]) => invoice(id, fields)),
    fc
      .tuple(
        anyId('whd_'),
        fc.record({
          created: anyTime,
          webhook_endpoint: oneOf('we_1', 'we_2'),
          event: oneOf('evt_1', 'evt_2'),
          status: oneOf('pending', 'pending', 'succeeded', 'failed'),
          next_attempt_at: anyMaybeTime,
          attempt: oneOf(1, 1, 2),
        }),
      )
      .map(([id, fields]) => delivery(id, fields)),
    fc
      .tuple(anyId('in_'), fc.record({ at: anyTime, test_clock: anyClock }))
      .map(([id, fields]) => ({ ...SAMPLES.timers, id, ...fields })),
    anyId('we_').map((id) => ({ ...SAMPLES.webhook_secrets, id })),
  )
  .map((record) => ({ ...record }))

/** The filters to query for each collection, each with existing values and a missing value. */
export const FILTERS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  customers: { email: ['a@x.example', 'b@x.example', 'z@x.example'], test_clock: ['clock_1'] },
  payment_sessions: {
    customer: ['cus_0', 'cus_1', 'cus_2', 'cus_9'],
    status: ['open', 'complete', 'expired'],
  },
  checkout_sessions: { status: ['open', 'complete'], subscription: ['sub_1', 'sub_9'] },
  subscriptions: {
    customer: ['cus_1', 'cus_2'],
    status: ['active', 'past_due', 'canceled'],
    live_customer: ['cus_1', 'cus_2'],
    live_test_clock: ['clock_1'],
  },
  invoices: {
    customer: ['cus_1', 'cus_2'],
    status: ['open', 'paid'],
    unsettled_subscription: ['sub_1', 'sub_9'],
  },
  webhook_deliveries: {
    webhook_endpoint: ['we_1', 'we_2'],
    event: ['evt_1', 'evt_2'],
    status: ['pending', 'failed'],
  },
  events: {
    type: ['customer.created', 'customer.updated'],
    object_id: ['cus_0', 'cus_1'],
    test_clock: ['clock_1'],
  },
  timers: {},
  webhook_secrets: {},
}

/** Fields for range queries in addition to `created`. */
export const RANGED: Readonly<Record<string, string>> = {
  subscriptions: 'current_period_end',
  invoices: 'due_date',
  events: 'sequence',
}
/** The queues of the generated records. */
export const QUEUES = ['real', 'clock:clock_1', 'deliveries:we_1', 'deliveries:we_2', 'retries:we_1']

/** A change: a record to store or to remove, or an event without a sequence number. */
export type AnyWrite =
  | { readonly put: Fields }
  | { readonly remove: Fields }
  | { readonly announce: UnsequencedEvent }

/** Changes to a few records, so that many changes affect the same record. */
export const anyWrite: fc.Arbitrary<AnyWrite> = fc.oneof(
  { weight: 6, arbitrary: anyDraft.map((record) => ({ put: record })) },
  { weight: 2, arbitrary: anyDraft.map((record) => ({ remove: record })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        anyId('evt_'),
        anyId('cus_'),
        fc.record({
          type: oneOf('customer.created', 'customer.updated'),
          created: anyTime,
          test_clock: anyClock,
        }),
      )
      .map(([id, about, fields]) => ({
        announce: event(id, { ...fields, data: { object: customer(about) } }),
      })),
  },
)

import type { Advance } from '../../domain/advances.ts'
import type { ApiKey, ApiKeyDigest } from '../../domain/api-keys.ts'
import type { Authentication } from '../../domain/authentications.ts'
import type { CheckoutSession } from '../../domain/checkout-sessions.ts'
import type { Counter } from '../../domain/counters.ts'
import type { Customer, DeletedCustomer } from '../../domain/customers.ts'
import type { TracelessDeclines } from '../../domain/decline-limit.ts'
import type { Event } from '../../domain/events.ts'
import type { FormToken } from '../../domain/form-tokens.ts'
import type { IdempotencyKey } from '../../domain/idempotency.ts'
import type { Invoice } from '../../domain/invoices.ts'
import type { PaymentMethod } from '../../domain/payment-methods.ts'
import type { PaymentSession } from '../../domain/payment-sessions.ts'
import type { Payment } from '../../domain/payments.ts'
import type { Refund } from '../../domain/refunds.ts'
import type { RequestLog } from '../../domain/request-logs.ts'
import type { RetentionMark } from '../../domain/retention.ts'
import type { Sandbox } from '../../domain/sandbox.ts'
import type { Subscription } from '../../domain/subscriptions.ts'
import type { DeletedTestClock, TestClock } from '../../domain/test-clocks.ts'
import type { Timer } from '../../domain/timers.ts'
import type { WebhookDelivery } from '../../domain/webhook-deliveries.ts'
import type { WebhookEndpoint } from '../../domain/webhook-endpoints.ts'
import type { WebhookHealth } from '../../domain/webhook-health.ts'
import type { WebhookSecret } from '../../domain/webhook-secrets.ts'

/** What is kept, by collection; the stored record of a resource is its wire object. */
export interface Collections {
  customers: Customer | DeletedCustomer
  checkout_sessions: CheckoutSession
  payment_sessions: PaymentSession
  payment_methods: PaymentMethod
  subscriptions: Subscription
  invoices: Invoice
  payments: Payment
  refunds: Refund
  test_clocks: TestClock | DeletedTestClock
  events: Event
  webhook_endpoints: WebhookEndpoint
  webhook_deliveries: WebhookDelivery
  webhook_secrets: WebhookSecret
  webhook_health: WebhookHealth
  authentications: Authentication
  form_tokens: FormToken
  traceless_declines: TracelessDeclines
  api_keys: ApiKey
  api_key_digests: ApiKeyDigest
  request_logs: RequestLog
  idempotency_keys: IdempotencyKey
  advances: Advance
  counters: Counter
  timers: Timer
  sandboxes: Sandbox
  retention_marks: RetentionMark
}

export type Collection = keyof Collections

type Field = (record: never) => string | null

interface CollectionRules {
  /** The `object` of its records. */
  readonly object: string
  /** The fields that lists filter by, each an index; a null value is in none. */
  readonly filters: Readonly<Record<string, Field>>
  /** The number fields beside `created` that lists can be bounded by, each an index; what has none is in none. */
  readonly ranges?: readonly string[]
  /** A number that grows from record to record; lists are sorted by it, not by `created`. */
  readonly growing?: string
}

const field =
  (name: string): Field =>
  (record: Readonly<Record<string, unknown>>) => {
    const value = record[name]
    return typeof value === 'string' ? value : null
  }

const fields = (...names: string[]) => Object.fromEntries(names.map((name) => [name, field(name)]))

/** Each collection with its object name and its filters; a new resource is one line here. */
export const COLLECTIONS: { readonly [C in Collection]: CollectionRules } = {
  customers: { object: 'customer', filters: fields('email', 'test_clock') },
  checkout_sessions: { object: 'checkout_session', filters: fields('customer', 'status', 'subscription') },
  payment_sessions: { object: 'payment_session', filters: fields('customer', 'status') },
  payment_methods: { object: 'payment_method', filters: fields('customer') },
  subscriptions: {
    object: 'subscription',
    filters: {
      ...fields('customer', 'status', 'collection_method'),
      live_customer: ({ status, customer }: Subscription) => (status === 'canceled' ? null : customer),
      live_test_clock: ({ status, test_clock }: Subscription) => (status === 'canceled' ? null : test_clock),
    },
    ranges: ['current_period_end'],
  },
  invoices: {
    object: 'invoice',
    filters: {
      ...fields('customer', 'subscription', 'status'),
      unsettled_subscription: ({ status, subscription }: Invoice) =>
        status === 'draft' || status === 'open' ? subscription : null,
    },
    ranges: ['due_date'],
  },
  payments: {
    object: 'payment',
    filters: fields('customer', 'status', 'invoice', 'checkout_session', 'payment_session'),
  },
  refunds: { object: 'refund', filters: fields('payment') },
  test_clocks: { object: 'test_clock', filters: fields('status') },
  events: {
    object: 'event',
    filters: { ...fields('type', 'test_clock'), object_id: ({ data }: Event) => data.object.id },
    growing: 'sequence',
  },
  webhook_endpoints: { object: 'webhook_endpoint', filters: fields('status') },
  webhook_deliveries: { object: 'webhook_delivery', filters: fields('event', 'webhook_endpoint', 'status') },
  webhook_secrets: { object: 'webhook_secret', filters: {} },
  webhook_health: { object: 'webhook_health', filters: {} },
  authentications: { object: 'authentication', filters: {} },
  form_tokens: { object: 'form_token', filters: {} },
  traceless_declines: { object: 'traceless_declines', filters: {} },
  api_keys: { object: 'api_key', filters: fields('status') },
  api_key_digests: { object: 'api_key_digest', filters: {} },
  request_logs: { object: 'request_log', filters: fields('method', 'path'), ranges: ['status'] },
  idempotency_keys: { object: 'idempotency_key', filters: {} },
  advances: { object: 'advance', filters: {} },
  counters: { object: 'counter', filters: {} },
  timers: { object: 'timer', filters: {} },
  sandboxes: { object: 'sandbox', filters: {} },
  retention_marks: { object: 'retention_mark', filters: {} },
}

/** Every collection, in the order a snapshot holds them. */
export const COLLECTION_NAMES = Object.keys(COLLECTIONS) as Collection[]

const BY_OBJECT = new Map<string, Collection>(
  COLLECTION_NAMES.map((name) => [COLLECTIONS[name].object, name]),
)

/** The collection a record belongs to by its `object`; throws for an object that is not kept. */
export function collectionOf(record: { readonly object: string }): Collection {
  const collection = BY_OBJECT.get(record.object)
  if (collection === undefined) throw new Error(`no collection keeps objects of type '${record.object}'`)
  return collection
}

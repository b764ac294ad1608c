import type { DeletedInvoiceItem, InvoiceItem } from '../../domain/billing/invoice-items.ts'
import type { Invoice } from '../../domain/billing/invoices.ts'
import type { Subscription } from '../../domain/billing/subscriptions.ts'
import type { CardSession } from '../../domain/completion/card-sessions.ts'
import type { IdPrefix, StoredObject } from '../../domain/core/changes.ts'
import type { Counter } from '../../domain/core/counters.ts'
import type { Event } from '../../domain/events/events.ts'
import type { WebhookDelivery } from '../../domain/events/webhook-deliveries.ts'
import type { WebhookEndpoint } from '../../domain/events/webhook-endpoints.ts'
import type { WebhookHealth } from '../../domain/events/webhook-health.ts'
import type { WebhookSecret } from '../../domain/events/webhook-secrets.ts'
import type { Fault } from '../../domain/faults/faults.ts'
import type { Authentication } from '../../domain/payments/authentications.ts'
import type { Customer, DeletedCustomer } from '../../domain/payments/customers.ts'
import type { PaymentlessDeclineLog } from '../../domain/payments/decline-limit.ts'
import type { Dispute } from '../../domain/payments/disputes.ts'
import type { PaymentMethod } from '../../domain/payments/payment-methods.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import type { Refund } from '../../domain/payments/refunds.ts'
import type { IdempotencyKey } from '../../domain/requests/idempotency.ts'
import type { RequestLog } from '../../domain/requests/request-logs.ts'
import type { UsedFormToken } from '../../domain/requests/used-form-tokens.ts'
import type { ApiKey, ApiKeyDigest } from '../../domain/sandboxes/api-keys.ts'
import type { DashboardSession } from '../../domain/sandboxes/dashboard-sessions.ts'
import type { InternalSandboxSecrets } from '../../domain/sandboxes/sandbox-secrets.ts'
import type { Sandbox } from '../../domain/sandboxes/sandboxes.ts'
import type { UnfinishedClockRequest } from '../../domain/schedule/clock-procedures.ts'
import type { CheckoutSession } from '../../domain/sessions/checkout-sessions.ts'
import type { Coupon, DeletedCoupon } from '../../domain/sessions/coupons.ts'
import type { PaymentSession } from '../../domain/sessions/payment-sessions.ts'
import type { PortalSession } from '../../domain/sessions/portal-sessions.ts'
import {
  type EnteredPromotionCode,
  normalizeCode,
  type PromotionCode,
} from '../../domain/sessions/promotion-codes.ts'
import type { RetentionMark } from '../../domain/time/retention.ts'
import type { DeletedTestClock, TestClock } from '../../domain/time/test-clocks.ts'
import type { TimerRecord } from '../../domain/time/timers.ts'

type FilterReader = (record: never) => string | null

/** The rules for storing and listing the records of one collection. */
interface CollectionRules<T> {
  /** The value of `object` in the records. */
  readonly object: string
  /** The prefix of the record ids, such as `cus_`; null for records that the API does not show. */
  readonly idPrefix: string | null
  /** The filters of lists, each with an index; the index has no records whose filter value is null. */
  readonly filters: Readonly<Record<string, FilterReader>>
  /** The number fields besides `created` that range filters of lists can use. */
  readonly ranges?: readonly string[]
  /** The name of a number field that increases with each record and sorts the lists (default: insertion order). */
  readonly growing?: string
  /** Never set; the property exists only to infer the type of the records. */
  readonly recordType?: T
}

type ResourceRules<T> = Pick<CollectionRules<T>, 'ranges' | 'growing'> &
  Partial<Pick<CollectionRules<T>, 'filters'>>

/** Returns the rules of a collection that the API shows; the stored record is its wire object. */
function resource<T extends StoredObject>(
  object: T['object'],
  idPrefix: IdPrefix,
  rules: ResourceRules<T> = {},
): CollectionRules<T> {
  return { filters: {}, ...rules, object, idPrefix }
}

/** Returns the rules of a collection of internal records, which are never listed by a field. */
function internal<T extends StoredObject>(object: T['object']): CollectionRules<T> {
  return { object, idPrefix: null, filters: {} }
}

function createFieldFilters(...names: string[]): Record<string, FilterReader> {
  return Object.fromEntries(names.map((name) => [name, filterOn(name)]))
}

function filterOn(name: string): FilterReader {
  return (record: Readonly<Record<string, unknown>>) => {
    const value = record[name]
    return typeof value === 'string' ? value : null
  }
}

function pendingItemFilter(owner: 'subscription' | 'customer'): FilterReader {
  return (item: InvoiceItem | DeletedInvoiceItem) =>
    'deleted' in item || item.invoice !== null ? null : item[owner]
}

/**
 * Every collection with its rules, in the order of a snapshot. A change of a name, filter, range or `growing` changes
 * the format of PostgreSQL databases.
 */
export const COLLECTION_RULES = {
  customers: resource<Customer | DeletedCustomer>('customer', 'cus_', {
    filters: createFieldFilters('email', 'test_clock'),
  }),
  checkout_sessions: resource<CheckoutSession>('checkout_session', 'cks_', {
    filters: createFieldFilters('customer', 'status', 'subscription'),
  }),
  payment_sessions: resource<PaymentSession>('payment_session', 'py_sess_', {
    filters: createFieldFilters('customer', 'status'),
  }),
  card_sessions: resource<CardSession>('card_session', 'cd_sess_', {
    filters: createFieldFilters('customer', 'status'),
  }),
  portal_sessions: resource<PortalSession>('portal_session', 'pt_sess_', {
    filters: createFieldFilters('customer', 'status'),
  }),
  payment_methods: resource<PaymentMethod>('payment_method', 'pm_', {
    filters: createFieldFilters('customer'),
  }),
  subscriptions: resource<Subscription>('subscription', 'sub_', {
    filters: {
      ...createFieldFilters('customer', 'status', 'collection_method'),
      live_customer: ({ status, customer }: Subscription) => (status === 'canceled' ? null : customer),
      live_test_clock: ({ status, test_clock }: Subscription) => (status === 'canceled' ? null : test_clock),
    },
    ranges: ['current_period_end'],
  }),
  invoices: resource<Invoice>('invoice', 'in_', {
    filters: {
      ...createFieldFilters('customer', 'subscription', 'status'),
      unsettled_subscription: ({ status, subscription }: Invoice) =>
        status === 'draft' || status === 'open' ? subscription : null,
    },
    ranges: ['due_date'],
  }),
  invoice_items: resource<InvoiceItem | DeletedInvoiceItem>('invoice_item', 'ii_', {
    filters: {
      ...createFieldFilters('customer', 'subscription', 'invoice'),
      pending_subscription: pendingItemFilter('subscription'),
      pending_customer: pendingItemFilter('customer'),
    },
  }),
  coupons: resource<Coupon | DeletedCoupon>('coupon', 'coup_'),
  promotion_codes: resource<PromotionCode>('promotion_code', 'promo_', {
    filters: {
      ...createFieldFilters('coupon', 'code'),
      active_code: ({ active, code }: PromotionCode) => (active ? normalizeCode(code) : null),
    },
  }),
  payments: resource<Payment>('payment', 'py_', {
    filters: createFieldFilters('customer', 'status', 'invoice', 'checkout_session', 'payment_session'),
  }),
  refunds: resource<Refund>('refund', 're_', { filters: createFieldFilters('payment') }),
  disputes: resource<Dispute>('dispute', 'dp_', {
    filters: {
      ...createFieldFilters('payment', 'customer', 'status'),
      inquired_payment: ({ status, closed_at, payment }: Dispute) =>
        status.startsWith('warning_') && closed_at === null ? payment : null,
    },
  }),
  test_clocks: resource<TestClock | DeletedTestClock>('test_clock', 'clock_', {
    filters: createFieldFilters('status'),
  }),
  events: resource<Event>('event', 'evt_', {
    filters: { ...createFieldFilters('type', 'test_clock'), object_id: ({ data }: Event) => data.object.id },
    growing: 'sequence',
  }),
  webhook_endpoints: resource<WebhookEndpoint>('webhook_endpoint', 'we_', {
    filters: createFieldFilters('status'),
  }),
  webhook_deliveries: resource<WebhookDelivery>('webhook_delivery', 'whd_', {
    filters: createFieldFilters('event', 'webhook_endpoint', 'status'),
  }),
  webhook_secrets: internal<WebhookSecret>('webhook_secret'),
  webhook_health: internal<WebhookHealth>('webhook_health'),
  entered_codes: internal<EnteredPromotionCode>('entered_code'),
  authentications: internal<Authentication>('authentication'),
  form_tokens: internal<UsedFormToken>('form_token'),
  traceless_declines: internal<PaymentlessDeclineLog>('traceless_declines'),
  api_keys: resource<ApiKey>('api_key', 'key_', { filters: createFieldFilters('status') }),
  api_key_digests: internal<ApiKeyDigest>('api_key_digest'),
  request_logs: resource<RequestLog>('request_log', 'req_', {
    filters: createFieldFilters('method', 'path'),
    ranges: ['status'],
  }),
  idempotency_keys: internal<IdempotencyKey>('idempotency_key'),
  advances: internal<UnfinishedClockRequest>('advance'),
  counters: internal<Counter>('counter'),
  timers: internal<TimerRecord>('timer'),
  sandboxes: resource<Sandbox>('sandbox', 'sbx_', { filters: createFieldFilters('status') }),
  sandbox_secrets: internal<InternalSandboxSecrets>('sandbox_secrets'),
  faults: resource<Fault>('fault', 'flt_'),
  retention_marks: internal<RetentionMark>('retention_mark'),
  dashboard_sessions: internal<DashboardSession>('dashboard_session'),
}

export type CollectionName = keyof typeof COLLECTION_RULES

/** The type of the records of each collection. */
export type CollectionRecordTypes = {
  [C in CollectionName]: NonNullable<(typeof COLLECTION_RULES)[C]['recordType']>
}

/** The names of all collections, in the order of a snapshot. */
export const COLLECTION_NAMES = Object.keys(COLLECTION_RULES) as CollectionName[]

const BY_OBJECT = new Map<string, CollectionName>(
  COLLECTION_NAMES.map((name) => [COLLECTION_RULES[name].object, name]),
)

/** Returns the collection of a record by its `object`. Throws for an unknown object. */
export function getCollectionName(record: { readonly object: string }): CollectionName {
  const collection = BY_OBJECT.get(record.object)
  if (collection === undefined) throw new Error(`no collection stores objects of type '${record.object}'`)
  return collection
}

import { COLLECTION_RULES, type CollectionName } from '../../store/port/collections.ts'

/** The facts of a resource that the command line and the reference need without its schema. */
interface ResourceFacts {
  /**
   * Columns of the table on a terminal, as paths of fields, the most important first: a narrow terminal omits the last
   * columns. For alternatives such as `decline_code|failure_code`, the table shows the first field with a value, in the
   * format of that field.
   */
  readonly columns: readonly string[]
  /** Paths of the fields that distinguish an object from other objects of its type; see `columns`. */
  readonly identity: readonly string[]
  /** The operation names in the order of the reference, which a test compares with the API. */
  readonly operations: readonly string[]
  /** The topic of the resource's commands, such as `checkout` in `paycli checkout create`. */
  readonly topic: string
  /** The path of an object without `/v1/` and id (default: the name of the resource). */
  readonly path?: string
  /** The path of the list without `/v1/` (default: `path`). */
  readonly listPath?: string
}

/**
 * Every resource, in the order of the reference; its schema is in the file of its name in `src/domain/`.
 * ARCHITECTURE.md describes how to add a resource. This file imports no schema, because loading all schemas takes
 * longer than most commands run.
 */
const FACTS = {
  customers: {
    columns: ['id', 'email', 'name', 'created'],
    identity: ['name', 'email'],
    operations: ['create', 'list', 'retrieve', 'update', 'delete'],
    topic: 'customers',
  },
  checkout_sessions: {
    columns: ['id', 'status', 'amount_total', 'created', 'payment_status', 'customer'],
    identity: ['amount_total', 'description'],
    operations: ['create', 'list', 'retrieve', 'expire', 'complete'],
    topic: 'checkout',
  },
  payment_sessions: {
    columns: ['id', 'status', 'amount', 'created', 'customer'],
    identity: ['amount', 'description'],
    operations: ['create', 'list', 'retrieve', 'expire', 'complete'],
    topic: 'payment-sessions',
  },
  card_sessions: {
    columns: ['id', 'status', 'use_for', 'created', 'customer'],
    identity: ['use_for'],
    operations: ['create', 'list', 'retrieve', 'expire', 'complete'],
    topic: 'card-sessions',
  },
  portal_sessions: {
    columns: ['id', 'status', 'customer', 'created', 'expires_at'],
    identity: ['expires_at'],
    operations: ['create', 'list', 'retrieve', 'expire'],
    topic: 'portal',
  },
  payments: {
    columns: ['id', 'status', 'amount_captured|amount', 'decline_code|failure_code', 'created', 'customer'],
    identity: [
      'amount_captured|amount',
      'payment_method_details.card|payment_method_details.sepa_debit',
      'decline_code|failure_code',
      'description',
    ],
    operations: ['create', 'list', 'retrieve', 'capture', 'cancel', 'authenticate', 'dispute'],
    topic: 'payments',
  },
  payment_methods: {
    columns: [
      'id',
      'card.brand|type',
      'card.last4|sepa_debit.last4',
      'card.test_behavior|sepa_debit.test_behavior',
      'created',
    ],
    identity: ['card|sepa_debit', 'card.test_behavior|sepa_debit.test_behavior'],
    operations: ['list_of_customer', 'retrieve', 'detach'],
    topic: 'cards',
    listPath: 'customers/:id/payment_methods',
  },
  subscriptions: {
    columns: ['id', 'status', 'items', 'interval', 'customer', 'current_period_end'],
    identity: ['items', 'interval'],
    operations: ['list', 'retrieve', 'update', 'resume', 'preview', 'cancel', 'delete'],
    topic: 'subscriptions',
  },
  invoices: {
    columns: ['id', 'status', 'total', 'number', 'created', 'customer'],
    identity: ['total', 'number'],
    operations: ['list', 'retrieve', 'finalize', 'pay', 'pay_as_customer', 'void', 'mark_uncollectible'],
    topic: 'invoices',
  },
  invoice_items: {
    columns: ['id', 'total', 'description', 'invoice', 'created', 'subscription'],
    identity: ['total', 'description'],
    operations: ['create', 'list', 'retrieve', 'delete'],
    topic: 'invoice-items',
  },
  coupons: {
    columns: ['id', 'name', 'percent_off|amount_off', 'duration', 'times_redeemed', 'valid', 'created'],
    identity: ['percent_off|amount_off', 'duration'],
    operations: ['create', 'list', 'retrieve', 'update', 'delete'],
    topic: 'coupons',
  },
  promotion_codes: {
    columns: ['id', 'code', 'coupon', 'active', 'times_redeemed', 'expires_at', 'created'],
    identity: ['code'],
    operations: ['create', 'list', 'retrieve', 'update'],
    topic: 'promotion-codes',
  },
  refunds: {
    columns: ['id', 'status', 'amount', 'created', 'payment', 'reason'],
    identity: ['amount', 'reason'],
    operations: ['create', 'list', 'retrieve'],
    topic: 'refunds',
  },
  disputes: {
    columns: ['id', 'status', 'amount', 'reason', 'evidence_due_by', 'payment'],
    identity: ['amount', 'reason'],
    operations: ['list', 'retrieve', 'update', 'close'],
    topic: 'disputes',
  },
  test_clocks: {
    columns: ['id', 'status', 'frozen_time', 'name', 'created'],
    identity: ['name', 'frozen_time'],
    operations: ['create', 'list', 'retrieve', 'advance', 'fail', 'delete'],
    topic: 'clock',
    path: 'test_helpers/test_clocks',
  },
  events: {
    columns: ['id', 'type', 'created', 'data.object.id'],
    identity: ['type', 'data.object.id'],
    operations: ['list', 'retrieve', 'resend'],
    topic: 'events',
  },
  webhook_endpoints: {
    columns: ['id', 'status', 'url', 'enabled_events'],
    identity: ['url'],
    operations: ['create', 'list', 'retrieve', 'health', 'update', 'delete', 'roll_secret', 'recover'],
    topic: 'webhooks endpoints',
  },
  webhook_deliveries: {
    columns: ['id', 'status', 'http_status|error', 'attempt', 'created', 'event', 'webhook_endpoint'],
    identity: ['url', 'http_status|error'],
    operations: ['list', 'retrieve', 'send'],
    topic: 'webhooks deliveries',
  },
  request_logs: {
    columns: ['id', 'status', 'method', 'path', 'created', 'error.code', 'duration_ms', 'fault'],
    identity: ['method', 'path', 'error.code', 'fault'],
    operations: ['list', 'retrieve'],
    topic: 'logs',
  },
  faults: {
    columns: ['id', 'type', 'match.operation|match.event_type', 'applied', 'matched', 'times', 'created'],
    identity: ['type', 'match.operation|match.event_type'],
    operations: ['create', 'list', 'retrieve', 'delete', 'clear'],
    topic: 'faults',
    path: 'test_helpers/faults',
  },
  sandboxes: {
    columns: ['id', 'name', 'status', 'objects', 'created', 'expires_at', 'storage', 'from'],
    identity: ['name'],
    operations: ['create', 'list', 'retrieve', 'update', 'reset', 'delete'],
    topic: 'sandboxes',
  },
  api_keys: {
    columns: ['id', 'name', 'kind', 'status', 'last_used_at', 'last4', 'expires_at'],
    identity: ['name', 'kind'],
    operations: ['create', 'list', 'retrieve', 'roll', 'revoke'],
    topic: 'keys',
  },
} as const satisfies { readonly [C in CollectionName]?: ResourceFacts }

/** The name of a resource, which is also the name of its collection and its scopes. */
export type ResourceName = keyof typeof FACTS

type RecordOf<N extends ResourceName> = NonNullable<(typeof COLLECTION_RULES)[N]['recordType']>
type Resource = RecordOf<ResourceName>
/** The value of `object` in an object of the API, such as `payment_session`. */
export type ObjectName = Resource['object']
/** The value of `object` in a customer or in an object that belongs to a customer. */
export type CustomerObjectName = Extract<
  Resource,
  { readonly object: 'customer' } | { readonly customer: unknown }
>['object']
type CustomerResource = {
  [N in ResourceName]: RecordOf<N>['object'] extends CustomerObjectName ? N : never
}[ResourceName]
/** A table with a row for customers and each object that belongs to a customer; rows for other objects are optional. */
export type CustomerObjectTable<T> = Readonly<Record<CustomerObjectName, T> & Partial<Record<ObjectName, T>>>
/** Like `CustomerObjectTable`, but with the names of resources as keys. */
export type CustomerResourceTable<T> = Readonly<
  Record<CustomerResource, T> & Partial<Record<ResourceName, T>>
>
type StatusOf<T> = T extends { readonly status: infer S extends string } ? S : never
/** A status of any object of the API, such as `past_due`. */
export type ObjectStatus = StatusOf<Resource>

/**
 * Every report, in the order of the reference. A report is computed from the objects of several resources, and not
 * stored. `name` is the name of its operations and its path without `/v1/`. `object` is the type of the results.
 */
export const REPORTS = [
  { name: 'projections', object: 'projection' },
  { name: 'statistics', object: 'statistics' },
] as const

/** A resource of the API without its schema. */
export interface ResourceKind<N extends ResourceName = ResourceName> extends Required<ResourceFacts> {
  readonly name: N
  /** The value of `object` in the objects of the resource, such as `payment_session`. */
  readonly object: string
  /** The prefix of the ids of the resource, such as `py_sess_`. */
  readonly idPrefix: string
  /** The names of the filters of its collection; a filter for another object has the name of its type, such as `customer`. */
  readonly filters: readonly string[]
}

/** Every resource of the API, in the order of the reference. */
export const RESOURCES: readonly ResourceKind[] = (Object.keys(FACTS) as ResourceName[]).map(getResource)

/** Returns the catalog entry of a resource. */
export function getResource<N extends ResourceName>(name: N): ResourceKind<N> {
  const { object, idPrefix, filters } = COLLECTION_RULES[name]
  if (idPrefix === null) throw new Error(`the ids of ${name} have no prefix`)
  const facts: ResourceFacts = FACTS[name]
  const { path = name, listPath = path } = facts
  return { ...facts, name, object, idPrefix, filters: Object.keys(filters), path, listPath }
}

// `py_` is also a prefix of `py_sess_`, so longer prefixes are tried first.
const BY_LONGEST_PREFIX = RESOURCES.toSorted((a, b) => b.idPrefix.length - a.idPrefix.length)

/** Returns the resource of the id at the start of a string such as `in_4bT9…/pay`, or undefined. */
export function findResourceOfId(text: string): ResourceKind | undefined {
  return BY_LONGEST_PREFIX.find(({ idPrefix }) => text.startsWith(idPrefix))
}

/** Returns the resource whose objects have this name in `object`, or undefined. */
export function findResourceByObjectName(object: unknown): ResourceKind | undefined {
  return RESOURCES.find((resource) => resource.object === object)
}

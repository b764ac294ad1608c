import { COLLECTIONS, type Collection } from '../../store/port/collections.ts'

/** The facts of a resource that the command line and the reference need without its schema. */
interface ResourceFacts {
  /** One sentence for the reference. */
  readonly description: string
  /**
   * Columns of its table on a terminal: paths of fields. Of alternatives such as `decline_code|failure_code` the first one
   * that is not null is shown.
   */
  readonly columns: readonly string[]
  /** The topic of its commands, such as `checkout` of `paycli checkout create`. */
  readonly topic: string
  /** The path of one object without `/v1/` and id (default: the name of the resource). */
  readonly path?: string
  /** The path of its list without `/v1/` (default: `path`). */
  readonly listPath?: string
}

/**
 * Every resource, in the order of the reference. To add one, add its facts here; its schema is in the file of its name in
 * this folder. This file imports no schema, because loading them all takes longer than most commands run.
 */
const FACTS = {
  customers: {
    description: 'A customer of your business. Sessions, subscriptions and cards belong to a customer.',
    columns: ['id', 'email', 'name', 'created'],
    topic: 'customers',
  },
  checkout_sessions: {
    description: 'A checkout page with a shareable URL, on which a customer sets up a subscription.',
    columns: ['id', 'status', 'payment_status', 'amount_total', 'customer', 'created'],
    topic: 'checkout',
  },
  payment_sessions: {
    description: 'A payment page with a shareable URL, on which a customer makes one payment.',
    columns: ['id', 'status', 'amount', 'customer', 'created'],
    topic: 'payment-sessions',
  },
  payments: {
    description: 'One attempt to charge a card.',
    columns: ['id', 'status', 'amount', 'decline_code|failure_code', 'customer', 'created'],
    topic: 'payments',
  },
  payment_methods: {
    description: 'A card saved to a customer.',
    columns: ['id', 'card.brand', 'card.last4', 'card.test_behavior', 'created'],
    topic: 'cards',
    listPath: 'customers/:id/payment_methods',
  },
  subscriptions: {
    description: 'A recurring charge that a completed checkout session set up.',
    columns: ['id', 'status', 'interval', 'customer', 'current_period_end'],
    topic: 'subscriptions',
  },
  invoices: {
    description: 'The amount a customer owes for one billing period of a subscription.',
    columns: ['id', 'number', 'status', 'total', 'customer', 'created'],
    topic: 'invoices',
  },
  refunds: {
    description: 'A full or partial refund of a payment.',
    columns: ['id', 'status', 'amount', 'reason', 'payment', 'created'],
    topic: 'refunds',
  },
  test_clocks: {
    description: 'A clock for test customers. Its time moves only when you advance it.',
    columns: ['id', 'name', 'status', 'frozen_time', 'created'],
    topic: 'clock',
    path: 'test_helpers/test_clocks',
  },
  events: {
    description: 'A change to one object, as sent to webhook endpoints.',
    columns: ['id', 'type', 'data.object.id', 'created'],
    topic: 'events',
  },
  webhook_endpoints: {
    description: 'A URL that receives events as signed HTTP requests.',
    columns: ['id', 'status', 'url', 'enabled_events'],
    topic: 'webhooks endpoints',
  },
  webhook_deliveries: {
    description: 'One attempt to deliver an event to a webhook endpoint. Its times are in real time.',
    columns: ['id', 'status', 'attempt', 'http_status', 'event', 'webhook_endpoint', 'created'],
    topic: 'webhooks deliveries',
  },
  request_logs: {
    description:
      'A request to the API with the status of its response, without bodies. The newest 10,000 of the last 30 days are kept. Its time is in real time.',
    columns: ['id', 'created', 'method', 'path', 'status', 'error.code', 'duration_ms'],
    topic: 'logs',
  },
  api_keys: {
    description: 'A key that authenticates requests to the API. Its times are in real time.',
    columns: ['id', 'name', 'kind', 'last4', 'status', 'expires_at', 'last_used_at'],
    topic: 'keys',
  },
} as const satisfies { readonly [C in Collection]?: ResourceFacts }

/** The name of a resource, of its collection and of its scopes. */
export type ResourceName = keyof typeof FACTS

/** A resource of the API without its schema. */
export interface CatalogEntry<N extends ResourceName = ResourceName> extends Required<ResourceFacts> {
  readonly name: N
  /** The `object` of its objects, such as `payment_session`. */
  readonly object: string
  /** The prefix of its ids, such as `py_sess_`. */
  readonly idPrefix: string
}

/** Every resource of the API, in the order of the reference. */
export const RESOURCES: readonly CatalogEntry[] = (Object.keys(FACTS) as ResourceName[]).map(resourceNamed)

/** Returns the catalog entry of a resource. */
export function resourceNamed<N extends ResourceName>(name: N): CatalogEntry<N> {
  const { object, idPrefix } = COLLECTIONS[name]
  if (idPrefix === null) throw new Error(`the ids of ${name} have no prefix`)
  const facts: ResourceFacts = FACTS[name]
  const { path = name, listPath = path } = facts
  return { ...facts, name, object, idPrefix, path, listPath }
}

// `py_` begins `py_sess_` too, so longer prefixes are tried first.
const BY_LONGEST_PREFIX = RESOURCES.toSorted((a, b) => b.idPrefix.length - a.idPrefix.length)

/** Returns the resource that a text such as `in_4bT9…/pay` begins with the id of, or undefined. */
export function resourceOfId(text: string): CatalogEntry | undefined {
  return BY_LONGEST_PREFIX.find(({ idPrefix }) => text.startsWith(idPrefix))
}

/** Returns the resource whose objects have this name in `object`, or undefined. */
export function resourceOfObject(object: unknown): CatalogEntry | undefined {
  return RESOURCES.find((resource) => resource.object === object)
}

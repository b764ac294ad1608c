import type { ByCustomerObject } from '../../api/resources/catalog.ts'
import { toWords } from '../../presentation/words.ts'
import { get, type Page, type Query } from './api-client.ts'
import type { ApiObject, RelatedGroup } from './history-scope.ts'

/** A list that contains related objects. */
interface RelatedList {
  readonly title: string
  readonly path: string
  readonly query?: Query
  /** Selects the related objects, when the list has no filter for them. */
  readonly isRelated?: (object: ApiObject) => boolean
}

/** Maximum number of objects that are read from each list. */
const LIMIT = 50
const SESSIONS = ['checkout_sessions', 'payment_sessions', 'card_sessions']

/** Returns lists with related objects; `query` selects the objects that refer to the object. */
type RelatedLists = (object: ApiObject, query: Query) => readonly RelatedList[]

const NONE: RelatedLists = () => []
const payments: RelatedLists = (_, query) => [{ title: 'Payments', path: '/v1/payments', query }]
const invoiceItems: RelatedLists = (_, query) => [
  { title: 'Invoice items', path: '/v1/invoice_items', query },
]
const deliveries: RelatedLists = (_, query) => [
  { title: 'Deliveries', path: '/v1/webhook_deliveries', query },
]

const LISTS: ByCustomerObject<RelatedLists> = {
  customer: (object, query) => [
    { title: 'Subscriptions', path: '/v1/subscriptions', query },
    { title: 'Invoices', path: '/v1/invoices', query },
    ...payments(object, query),
    { title: 'Saved cards', path: `/v1/customers/${object.id}/payment_methods` },
    ...SESSIONS.map((name) => ({ title: toWords(name), path: `/v1/${name}`, query })),
    ...invoiceItems(object, query),
  ],
  subscription: (object, query) => [
    { title: 'Invoices', path: '/v1/invoices', query },
    ...invoiceItems(object, query),
  ],
  invoice: (object, query) => [...payments(object, query), ...invoiceItems(object, query)],
  payment: (_, query) => [{ title: 'Refunds', path: '/v1/refunds', query }],
  checkout_session: payments,
  payment_session: payments,
  event: deliveries,
  webhook_endpoint: deliveries,
  payment_method: ({ id, customer }) =>
    typeof customer === 'string'
      ? [
          {
            title: 'Payments with this card',
            path: '/v1/payments',
            query: { customer },
            isRelated: ({ payment_method }) => payment_method === id,
          },
        ]
      : [],
  card_session: NONE,
  invoice_item: NONE,
  refund: NONE,
}

/** Reads the related objects of an object, at most 50 of each type; groups without objects are omitted. */
export async function readRelatedObjects(object: ApiObject, signal: AbortSignal): Promise<RelatedGroup[]> {
  const listsOf = new Map(Object.entries(LISTS)).get(object.object) ?? NONE
  const lists = listsOf(object, { [object.object]: object.id })
  const groups = await Promise.all(
    lists.map(async ({ title, path, query, isRelated = () => true }): Promise<RelatedGroup> => {
      const page = await get<Page<ApiObject>>(path, { ...query, limit: LIMIT }, signal)
      return { title, objects: page.data.filter(isRelated), hasMore: page.has_more }
    }),
  )
  const found =
    object.object === 'subscription' ? [...groups, await readPayments(object, groups, signal)] : groups
  return found.filter(({ objects }) => objects.length > 0)
}

/** Reads the payments of the invoices and of the checkout session of a subscription. */
async function readPayments(
  subscription: ApiObject,
  groups: readonly RelatedGroup[],
  signal: AbortSignal,
): Promise<RelatedGroup> {
  const invoices = new Set(groups.flatMap(({ objects }) => objects.map(({ id }) => id)))
  const query = { customer: String(subscription['customer']), limit: LIMIT }
  const { data, has_more } = await get<Page<ApiObject>>('/v1/payments', query, signal)
  const objects = data.filter(
    ({ invoice, checkout_session }) =>
      invoices.has(String(invoice)) || checkout_session === subscription['checkout_session'],
  )
  return { title: 'Payments', objects, hasMore: has_more }
}

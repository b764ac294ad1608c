import type { ByCustomerObject, ResourceName } from '../../api/resources/catalog.ts'
import { toWords } from '../../presentation/words.ts'
import { get, type Page, type Query } from './api-client.ts'
import type { ApiObject, RelatedGroup } from './history-scope.ts'

interface RelatedList {
  readonly title: string
  readonly path: string
  readonly query?: Query
  /** Selects the related objects when the list has no filter for them; `ids` has the objects of all lists. */
  readonly isRelated?: (object: ApiObject, ids: ReadonlySet<unknown>) => boolean
}

/** Maximum number of objects that are read from each list. */
const LIMIT = 50

/** The lists with related objects: a resource whose list has a filter for the object, or another list. */
const LISTS: ByCustomerObject<readonly (ResourceName | ((object: ApiObject) => RelatedList))[]> = {
  customer: [
    'subscriptions',
    'invoices',
    'payments',
    ({ id }) => ({ title: 'Saved cards', path: `/v1/customers/${id}/payment_methods` }),
    'checkout_sessions',
    'payment_sessions',
    'card_sessions',
    'portal_sessions',
    'invoice_items',
    'disputes',
  ],
  subscription: [
    'invoices',
    'invoice_items',
    (subscription) => ({
      ...{ title: 'Payments', path: '/v1/payments', query: { customer: String(subscription['customer']) } },
      isRelated: ({ invoice, checkout_session }, ids) =>
        ids.has(invoice) || checkout_session === subscription['checkout_session'],
    }),
  ],
  invoice: ['payments', 'invoice_items'],
  payment: ['refunds', 'disputes'],
  checkout_session: ['payments'],
  payment_session: ['payments'],
  webhook_endpoint: [
    ({ id }) => ({ title: 'Deliveries', path: '/v1/webhook_deliveries', query: { webhook_endpoint: id } }),
  ],
  payment_method: [
    ({ id, customer }) => ({
      ...{ title: 'Payments with this card', path: '/v1/payments', query: { customer: String(customer) } },
      isRelated: ({ payment_method }) => payment_method === id,
    }),
  ],
  card_session: [],
  portal_session: [],
  invoice_item: [],
  refund: [],
  dispute: [],
  coupon: ['promotion_codes'],
}

/** Reads the related objects of an object, at most 50 of each type; groups without objects are omitted. */
export async function readRelatedObjects(object: ApiObject, signal: AbortSignal): Promise<RelatedGroup[]> {
  // A detached card has no customer whose payments can be listed.
  const isDetached = object.object === 'payment_method' && object['customer'] === null
  const lists = isDetached ? [] : (new Map(Object.entries(LISTS)).get(object.object) ?? [])
  const read = await Promise.all(
    lists.map(async (list) => {
      const { isRelated = () => true, ...rest }: RelatedList =
        typeof list === 'string'
          ? { title: toWords(list), path: `/v1/${list}`, query: { [object.object]: object.id } }
          : list(object)
      const page = await get<Page<ApiObject>>(rest.path, { ...rest.query, limit: LIMIT }, signal)
      return { title: rest.title, isRelated, page }
    }),
  )
  const ids = new Set<unknown>(read.flatMap(({ page }) => page.data.map(({ id }) => id)))
  return read
    .map(({ title, isRelated, page: { data, has_more } }) => ({
      ...{ title, hasMore: has_more },
      objects: data.filter((one) => isRelated(one, ids)),
    }))
    .filter(({ objects }) => objects.length > 0)
}

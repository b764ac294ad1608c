import { getResource, RESOURCES, type ResourceName } from '../../api/resources/catalog.ts'
import { humanizeName } from '../../presentation/words.ts'
import { type ApiListPage, get, type QueryParams } from './api-client.ts'
import type { ApiObject, RelatedGroup } from './history-scope.ts'

interface RelatedList {
  readonly title: string
  readonly path: string
  readonly query: QueryParams
  /** Selects the related objects when the list has no filter for them; `ids` are the ids of all listed objects. */
  readonly isRelated?: (object: ApiObject, ids: ReadonlySet<unknown>) => boolean
}

/** Maximum number of objects that are read from each list. */
const LIMIT = 50
/** Maximum number of payments whose refunds are read, because their list filters by one payment. */
const MAX_PAYMENTS = 20
/** The resources that are listed first. */
const FIRST: readonly ResourceName[] = ['customers', 'subscriptions', 'payments', 'invoices']

/** Every resource, in the order of lists of different objects. */
export const SORTED_RESOURCES = [...new Set([...FIRST, ...RESOURCES.map(({ name }) => name)])].map(
  getResource,
)

/** Reads the groups of related objects that are not empty, at most 50 objects each, and refunds of at most 20 payments. */
export async function readRelatedObjects(object: ApiObject, signal: AbortSignal): Promise<RelatedGroup[]> {
  const read = await Promise.all(
    relatedLists(object).map(async ({ title, path, query, isRelated = () => true }) => {
      const page = await get<ApiListPage<ApiObject>>(path, { ...query, limit: LIMIT }, signal)
      return { title, isRelated, page }
    }),
  )
  const ids = new Set<unknown>(read.flatMap(({ page }) => page.data.map(({ id }) => id)))
  const groups = read
    .map(({ title, isRelated, page: { data, has_more } }) => ({
      ...{ title, hasMore: has_more },
      objects: data.filter((one) => isRelated(one, ids)),
    }))
    .filter(({ objects }) => objects.length > 0)
  // A failed refund is not part of `amount_refunded`, so payments without this amount follow the others.
  const paid = groups
    .flatMap(({ objects }) => objects)
    .filter(({ object: type, status }) => type === 'payment' && status === 'succeeded')
    .sort((a, b) => Number(b['amount_refunded'] !== 0) - Number(a['amount_refunded'] !== 0))
  const lists = paid
    .slice(0, MAX_PAYMENTS)
    .map(({ id: payment }) => get<ApiListPage<ApiObject>>('/v1/refunds', { payment, limit: LIMIT }, signal))
  const refunds = await Promise.all(lists)
  const objects = refunds.flatMap(({ data }) => data)
  objects.sort((a, b) => Number(b['created']) - Number(a['created']))
  const hasMore = paid.length > MAX_PAYMENTS || refunds.some(({ has_more }) => has_more)
  return objects.length === 0 ? groups : [...groups, { title: 'Refunds', objects, hasMore }]
}

/** Returns the lists that have a filter for an object. The lists of an event are in another panel. */
function relatedLists({ id, object, customer }: ApiObject): readonly RelatedList[] {
  const lists = SORTED_RESOURCES.filter(({ filters }) => object !== 'event' && filters.includes(object))
  const related: RelatedList[] = lists.map(({ name, listPath }) => ({
    title: humanizeName(name),
    path: `/v1/${listPath.replace(':id', id)}`,
    query: listPath.includes(':id') ? {} : { [object]: id },
  }))
  // A detached card has no customer whose payments can be listed.
  const hasPayments = object === 'subscription' || (object === 'payment_method' && customer !== null)
  if (!hasPayments) return related
  const payments: RelatedList = {
    ...{ title: 'Payments', path: '/v1/payments', query: { customer: String(customer) } },
    isRelated: ({ invoice, checkout_session: session, payment_method: card }, ids) =>
      card === id || ids.has(invoice) || ids.has(session),
  }
  return [payments, ...related]
}

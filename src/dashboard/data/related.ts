import { toWords } from '../../presentation/words.ts'
import { get, type Page, type Query } from './api-client.ts'
import type { ApiObject, RelatedGroup } from './story-scope.ts'

/** A list that contains related objects. */
interface RelatedList {
  readonly title: string
  readonly path: string
  readonly query?: Query
  /** Selects the related objects, when the list has no filter for them. */
  readonly isRelated?: (object: ApiObject) => boolean
}

/** The newest related objects of each type. */
const LIMIT = 50
const SESSIONS = ['checkout_sessions', 'payment_sessions', 'card_sessions']

/** Returns the lists with the related objects of an object. */
function relatedLists(object: ApiObject): readonly RelatedList[] {
  const { id } = object
  const query = { [object.object]: id }
  switch (object.object) {
    case 'customer':
      return [
        { title: 'Subscriptions', path: '/v1/subscriptions', query },
        { title: 'Invoices', path: '/v1/invoices', query },
        { title: 'Payments', path: '/v1/payments', query },
        { title: 'Saved cards', path: `/v1/customers/${id}/payment_methods` },
        ...SESSIONS.map((name) => ({ title: toWords(name), path: `/v1/${name}`, query })),
        { title: 'Invoice items', path: '/v1/invoice_items', query },
      ]
    case 'subscription':
      return [
        { title: 'Invoices', path: '/v1/invoices', query },
        { title: 'Invoice items', path: '/v1/invoice_items', query },
      ]
    case 'invoice':
      return [
        { title: 'Payments', path: '/v1/payments', query },
        { title: 'Invoice items', path: '/v1/invoice_items', query },
      ]
    case 'payment':
      return [{ title: 'Refunds', path: '/v1/refunds', query }]
    case 'checkout_session':
    case 'payment_session':
      return [{ title: 'Payments', path: '/v1/payments', query }]
    case 'event':
    case 'webhook_endpoint':
      return [{ title: 'Deliveries', path: '/v1/webhook_deliveries', query }]
    case 'payment_method':
      return typeof object['customer'] === 'string'
        ? [
            {
              title: 'Payments with this card',
              path: '/v1/payments',
              query: { customer: object['customer'] },
              isRelated: ({ payment_method }) => payment_method === id,
            },
          ]
        : []
    default:
      return []
  }
}

/** Reads the related objects of an object, at most 50 of each type; groups without objects are omitted. */
export async function readRelated(object: ApiObject, signal: AbortSignal): Promise<RelatedGroup[]> {
  const lists = relatedLists(object)
  const groups = await Promise.all(
    lists.map(async ({ title, path, query, isRelated = () => true }): Promise<RelatedGroup> => {
      const page = await get<Page<ApiObject>>(path, { ...query, limit: LIMIT }, signal)
      return { title, objects: page.data.filter(isRelated), hasMore: page.has_more }
    }),
  )
  const found =
    object.object === 'subscription' ? [...groups, await readAttempts(object, groups, signal)] : groups
  return found.filter(({ objects }) => objects.length > 0)
}

/** Reads the payments of the invoices and of the checkout session of a subscription. */
async function readAttempts(
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

import { cardSessions } from '../../api/operations/card-sessions.ts'
import { checkoutSessions } from '../../api/operations/checkout-sessions.ts'
import { customers } from '../../api/operations/customers.ts'
import { invoiceItems } from '../../api/operations/invoice-items.ts'
import { invoices } from '../../api/operations/invoices.ts'
import { paymentSessions } from '../../api/operations/payment-sessions.ts'
import { payments } from '../../api/operations/payments.ts'
import { portalSessions } from '../../api/operations/portal-sessions.ts'
import { subscriptions } from '../../api/operations/subscriptions.ts'
import { findResourceOfId, getResource, RESOURCES, type ResourceName } from '../../api/resources/catalog.ts'
import type { Client } from '../../client/client.ts'
import { hasEventTypes } from '../../domain/core/event-types.ts'
import { quoteForShell } from '../../domain/text/shell-quote.ts'
import { UsageError } from '../errors/usage-error.ts'
import { listObjects } from '../request/paginate.ts'

/** Maximum number of objects of one resource in a timeline. Older objects are omitted. */
const MAX_OBJECTS = 1000

/** The ids of an object and of its related objects; `isWhole` is false when there were more than the maximum. */
export interface TimelineObjectIds {
  readonly ids: readonly string[]
  readonly isWhole: boolean
}

/**
 * Functions that find the related objects, by resource. The timeline of any other resource contains only the object
 * itself.
 */
const SCOPE_FINDERS: { readonly [N in ResourceName]?: typeof ofCustomer } = {
  customers: ofCustomer,
  checkout_sessions: ofCheckoutSession,
  card_sessions: ofCardSession,
  payment_sessions: (client, id) => withPayments(client, id, { payment_session: id }),
  subscriptions: ofSubscription,
  invoices: (client, id) => withPayments(client, id, { invoice: id }),
}

// A coupon with a custom id is given as `coupons/<id>`, because the id has no prefix.
const COUPON = /^coupons\/(?=[^/]+$)/

/**
 * Returns the scope of the object with this id or path, such as `coupons/SPRING-25`, or of the customer with this
 * email. Refunds and disputes are missing, because `readTimeline` lists them for payments.
 */
export async function findTimelineObjectIds(client: Client, text: string): Promise<TimelineObjectIds> {
  if (text.includes('@')) return ofCustomer(client, await findCustomer(client, text))
  const resource = COUPON.test(text) ? getResource('coupons') : findResourceOfId(text)
  if (resource === undefined || !hasEventTypes(resource)) throw invalidTimelineId(text)
  const id = text.replace(COUPON, '')
  // Read the object first: most finders only list objects, which succeeds for an unknown id too.
  await client.send({ method: 'GET', path: `/v1/${resource.path}/:id` }, { id })
  return SCOPE_FINDERS[resource.name]?.(client, id) ?? { ids: [id], isWhole: true }
}

/** Returns the id of the only customer with an email address. */
async function findCustomer(client: Client, email: string): Promise<string> {
  const [customer, ...others] = (await client.call(customers.list, { email, limit: 2 })).data
  if (customer !== undefined && others.length === 0) return customer.id
  const many = customer === undefined ? 'No customer has' : 'Several customers have'
  throw new UsageError('argument_invalid', `${many} the email '${email}'.`, {
    param: 'id',
    hint: customer
      ? `Give an id, such as of the newest customer: paycli timeline ${customer.id}\nList them: paycli customers list --email ${quoteForShell(email)}`
      : 'Give the id of a customer. List them: paycli customers list',
  })
}

function invalidTimelineId(id: string): UsageError {
  const known = RESOURCES.filter(hasEventTypes).map(
    ({ object, idPrefix }) => `${object.replaceAll('_', ' ')} (${idPrefix})`,
  )
  return new UsageError('argument_invalid', `'${id}' is not the id of an object that has a timeline.`, {
    param: 'id',
    hint: `Give the id of a ${known.slice(0, -1).join(', ')} or ${known.at(-1)}.`,
  })
}

async function ofCustomer(client: Client, id: string): Promise<TimelineObjectIds> {
  const filter = { customer: id }
  const lists = await Promise.all([
    listObjects(client, checkoutSessions.list, filter, MAX_OBJECTS),
    listObjects(client, paymentSessions.list, filter, MAX_OBJECTS),
    listObjects(client, cardSessions.list, filter, MAX_OBJECTS),
    listObjects(client, portalSessions.list, filter, MAX_OBJECTS),
    listObjects(client, subscriptions.list, filter, MAX_OBJECTS),
    listObjects(client, invoices.list, filter, MAX_OBJECTS),
    listObjects(client, payments.list, filter, MAX_OBJECTS),
    listObjects(client, invoiceItems.list, filter, MAX_OBJECTS),
  ])
  const [checkouts, , updates, , , , paid] = lists
  const withCard = [...checkouts.found, ...updates.found, ...paid.found]
  const cards = withCard.map(({ payment_method }) => payment_method)
  const found = lists.flatMap((list) => list.found.map((one) => one.id))
  return { ids: distinct([id, ...found, ...cards]), isWhole: lists.every(({ hasMore }) => !hasMore) }
}

async function ofSubscription(client: Client, id: string): Promise<TimelineObjectIds> {
  const { customer, checkout_session, default_payment_method } = await client.call(subscriptions.retrieve, {
    id,
  })
  const [billed, paid, updates, extra] = await Promise.all([
    listObjects(client, invoices.list, { subscription: id }, MAX_OBJECTS),
    listObjects(client, payments.list, { customer }, MAX_OBJECTS),
    listObjects(client, cardSessions.list, { customer }, MAX_OBJECTS),
    listObjects(client, invoiceItems.list, { subscription: id }, MAX_OBJECTS),
  ])
  const invoiceIds = new Set(billed.found.map((invoice) => invoice.id))
  const own = paid.found.filter(
    (payment) => payment.checkout_session === checkout_session || invoiceIds.has(payment.invoice ?? ''),
  )
  const cards = [default_payment_method, ...own.map(({ payment_method }) => payment_method)]
  const cardUpdates = updates.found.filter(
    ({ subscription, payment_method }) =>
      subscription === id || (payment_method !== null && cards.includes(payment_method)),
  )
  const objects = [...own, ...cardUpdates, ...extra.found].map((object) => object.id)
  return {
    ids: distinct([id, checkout_session, ...invoiceIds, ...objects, ...cards]),
    isWhole: [billed, paid, updates, extra].every(({ hasMore }) => !hasMore),
  }
}

async function ofCheckoutSession(client: Client, id: string): Promise<TimelineObjectIds> {
  const session = await client.call(checkoutSessions.retrieve, { id })
  const attempts = await withPayments(client, id, { checkout_session: id })
  if (session.subscription === null) return attempts
  const subscription = await ofSubscription(client, session.subscription)
  const ids = distinct([...attempts.ids, session.payment_method, ...subscription.ids])
  return { ids, isWhole: attempts.isWhole && subscription.isWhole }
}

async function ofCardSession(client: Client, id: string): Promise<TimelineObjectIds> {
  const { customer, payment_method } = await client.call(cardSessions.retrieve, { id })
  if (payment_method === null) return { ids: [id], isWhole: true }
  const paid = await listObjects(client, payments.list, { customer }, MAX_OBJECTS)
  const own = paid.found.filter((payment) => payment.payment_method === payment_method)
  const invoiceIds = own.map(({ invoice }) => invoice)
  return {
    ids: distinct([id, payment_method, ...invoiceIds, ...own.map((payment) => payment.id)]),
    isWhole: !paid.hasMore,
  }
}

async function withPayments(
  client: Client,
  id: string,
  filter: Partial<Record<'invoice' | 'checkout_session' | 'payment_session', string>>,
): Promise<TimelineObjectIds> {
  const { found, hasMore } = await listObjects(client, payments.list, filter, MAX_OBJECTS)
  return { ids: [id, ...found.map((payment) => payment.id)], isWhole: !hasMore }
}

function distinct(ids: readonly (string | null)[]): string[] {
  return [...new Set(ids.filter((id) => id !== null))]
}

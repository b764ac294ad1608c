import { checkoutSessions } from '../../api/operations/checkout-sessions.ts'
import { customers } from '../../api/operations/customers.ts'
import { invoices } from '../../api/operations/invoices.ts'
import { paymentMethods } from '../../api/operations/payment-methods.ts'
import { paymentSessions } from '../../api/operations/payment-sessions.ts'
import { payments } from '../../api/operations/payments.ts'
import { refunds } from '../../api/operations/refunds.ts'
import { subscriptions } from '../../api/operations/subscriptions.ts'
import type { Client } from '../../client/client.ts'
import type { Payment } from '../../domain/payments.ts'
import { UsageError } from '../errors/usage-error.ts'
import { walk } from '../request/paginate.ts'

/** So many objects of one kind are looked at, the newest first. */
const MOST_OF_A_KIND = 1000

/** The ids of an object and of what belongs to it; `isWhole` unless there were too many. */
export interface Scope {
  readonly ids: readonly string[]
  readonly isWhole: boolean
}

type Finder = (client: Client, id: string) => Promise<Scope>

/** By the prefix of an id; a longer prefix stands before one that it begins with. */
const FINDERS: readonly (readonly [prefix: string, find: Finder])[] = [
  ['cus_', ofCustomer],
  ['cks_', ofCheckoutSession],
  ['py_sess_', ofPaymentSession],
  ['sub_', ofSubscription],
  ['in_', ofInvoice],
  ['py_', alone(payments.retrieve)],
  ['re_', alone(refunds.retrieve)],
  ['pm_', alone(paymentMethods.retrieve)],
]

/** Finds what belongs to the object of this id; refunds are left to who has seen the events of their payments. */
export function findScope(client: Client, id: string): Promise<Scope> {
  const [, find] = FINDERS.find(([prefix]) => id.startsWith(prefix)) ?? []
  if (find !== undefined) return find(client, id)
  throw new UsageError('argument_invalid', `'${id}' is the id of nothing that has a timeline.`, {
    param: 'id',
    hint: 'Give the id of a customer (cus_), a session (cks_, py_sess_), a subscription (sub_), an invoice (in_), a payment (py_), a card (pm_), a refund (re_) or a clock (clock_).',
  })
}

function alone(
  retrieve: typeof payments.retrieve | typeof refunds.retrieve | typeof paymentMethods.retrieve,
): Finder {
  return async (client, id) => {
    await client.send(retrieve, { id })
    return { ids: [id], isWhole: true }
  }
}

async function ofCustomer(client: Client, id: string): Promise<Scope> {
  await client.call(customers.retrieve, { id })
  const asked = { customer: id }
  const lists = await Promise.all([
    walk((cursor) => client.call(checkoutSessions.list, { ...asked, ...cursor }), MOST_OF_A_KIND),
    walk((cursor) => client.call(paymentSessions.list, { ...asked, ...cursor }), MOST_OF_A_KIND),
    walk((cursor) => client.call(subscriptions.list, { ...asked, ...cursor }), MOST_OF_A_KIND),
    walk((cursor) => client.call(invoices.list, { ...asked, ...cursor }), MOST_OF_A_KIND),
    walk((cursor) => client.call(payments.list, { ...asked, ...cursor }), MOST_OF_A_KIND),
  ])
  const [sessions, , , , paid] = lists
  const cards = [...sessions.found, ...paid.found].map(({ payment_method }) => payment_method)
  const found = lists.flatMap((list) => list.found.map((one) => one.id))
  return { ids: distinct([id, ...found, ...cards]), isWhole: lists.every(({ hasMore }) => !hasMore) }
}

async function ofSubscription(client: Client, id: string): Promise<Scope> {
  const { customer, checkout_session, default_payment_method } = await client.call(subscriptions.retrieve, {
    id,
  })
  const [billed, paid] = await Promise.all([
    walk((cursor) => client.call(invoices.list, { subscription: id, ...cursor }), MOST_OF_A_KIND),
    walk((cursor) => client.call(payments.list, { customer, ...cursor }), MOST_OF_A_KIND),
  ])
  const invoiceIds = new Set(billed.found.map((invoice) => invoice.id))
  const own = paid.found.filter(
    (payment) => payment.checkout_session === checkout_session || invoiceIds.has(payment.invoice ?? ''),
  )
  const cards = [default_payment_method, ...own.map(({ payment_method }) => payment_method)]
  return {
    ids: distinct([id, checkout_session, ...invoiceIds, ...own.map((payment) => payment.id), ...cards]),
    isWhole: !billed.hasMore && !paid.hasMore,
  }
}

async function ofCheckoutSession(client: Client, id: string): Promise<Scope> {
  const session = await client.call(checkoutSessions.retrieve, { id })
  const tried = await paymentScope(client, { checkout_session: id })
  if (session.subscription === null) return { ...tried, ids: distinct([id, ...tried.ids]) }
  const sold = await ofSubscription(client, session.subscription)
  const ids = distinct([id, session.payment_method, ...tried.ids, ...sold.ids])
  return { ids, isWhole: tried.isWhole && sold.isWhole }
}

async function ofPaymentSession(client: Client, id: string): Promise<Scope> {
  await client.call(paymentSessions.retrieve, { id })
  const tried = await paymentScope(client, { payment_session: id })
  return { ...tried, ids: [id, ...tried.ids] }
}

async function ofInvoice(client: Client, id: string): Promise<Scope> {
  await client.call(invoices.retrieve, { id })
  const tried = await paymentScope(client, { invoice: id })
  return { ...tried, ids: [id, ...tried.ids] }
}

async function paymentScope(
  client: Client,
  asked: Partial<Record<'invoice' | 'checkout_session' | 'payment_session', string>>,
): Promise<Scope> {
  const { found, hasMore } = await walk<Payment>(
    (cursor) => client.call(payments.list, { ...asked, ...cursor }),
    MOST_OF_A_KIND,
  )
  return { ids: found.map(({ id }) => id), isWhole: !hasMore }
}

function distinct(ids: readonly (string | null)[]): string[] {
  return [...new Set(ids.filter((id) => id !== null))]
}

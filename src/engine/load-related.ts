import type { Attached } from '../domain/card-detachment.ts'
import type { CheckoutSession } from '../domain/checkout-sessions.ts'
import type { Belongings } from '../domain/customer-deletion.ts'
import type { PaymentMethod } from '../domain/payment-methods.ts'
import type { PaymentSession } from '../domain/payment-sessions.ts'
import type { WebhookDelivery } from '../domain/webhook-deliveries.ts'
import type { EndpointBelongings } from '../domain/webhook-endpoint-changes.ts'
import type { Collection, Collections } from '../store/port/collections.ts'
import type { Query, Reader } from '../store/port/store.ts'
import { loadWaiting } from './waiting.ts'

const RECORDS_PER_PAGE = 100
/** An invoice in one of these states may still be collected or paid. */
const UNSETTLED = ['draft', 'open', 'uncollectible']

/** Loads all that ends with a customer: open sessions with whom they wait for, live subscriptions, their invoices, cards. */
export async function loadCustomerBelongings(reader: Reader, customer: string): Promise<Belongings> {
  const open = { where: { customer, status: 'open' } }
  const sessions: (CheckoutSession | PaymentSession)[] = [
    ...(await loadAll(reader, 'checkout_sessions', open)),
    ...(await loadAll(reader, 'payment_sessions', open)),
  ]
  return {
    sessions: await Promise.all(
      sessions.map(async (session) => ({ session, ...(await loadWaiting(reader, session.id)) })),
    ),
    subscriptions: await loadAll(reader, 'subscriptions', { where: { live_customer: customer } }),
    invoices: await Promise.all(
      (await loadAll(reader, 'invoices', { where: { customer, status: UNSETTLED } })).map(
        async (invoice) => ({ invoice, ...(await loadWaiting(reader, invoice.id)) }),
      ),
    ),
    paymentMethods: await loadAll(reader, 'payment_methods', { where: { customer } }),
  }
}

/** Loads a saved card with those who may be charged with it. */
export async function loadAttached(reader: Reader, method: PaymentMethod): Promise<Attached> {
  const { customer } = method
  if (customer === null) return { method, customer, subscriptions: [], asked: [] }
  const asked = await loadAll(reader, 'payments', { where: { customer, status: 'requires_action' } })
  return {
    method,
    customer: await reader.get('customers', customer),
    subscriptions: await loadAll(reader, 'subscriptions', { where: { live_customer: customer } }),
    asked: await Promise.all(
      asked
        .filter((payment) => payment.payment_method === method.id)
        .map(async (payment) => ({
          payment,
          authentication: await reader.get('authentications', payment.invoice ?? ''),
        })),
    ),
  }
}

/** Loads what goes with an endpoint: the deliveries to it that still wait for their time, and its health. */
export async function loadEndpointBelongings(
  reader: Reader,
  webhookEndpoint: string,
): Promise<EndpointBelongings> {
  const where = { webhook_endpoint: webhookEndpoint, status: 'pending' }
  return {
    pending: await loadAll(reader, 'webhook_deliveries', { where }),
    health: await reader.get('webhook_health', webhookEndpoint),
  }
}

/** Loads every attempt to deliver an event, the oldest first. */
export function loadDeliveries(reader: Reader, event: string): Promise<WebhookDelivery[]> {
  return loadAll(reader, 'webhook_deliveries', { where: { event } })
}

/** Every record that matches, oldest first. */
export async function loadAll<C extends Collection>(
  reader: Reader,
  collection: C,
  query: Pick<Query, 'where'>,
): Promise<Collections[C][]> {
  const found: Collections[C][] = []
  let starting_after: string | undefined
  for (;;) {
    const cursor = starting_after === undefined ? {} : { starting_after }
    const page = await reader.list(collection, { ...query, ...cursor, limit: RECORDS_PER_PAGE })
    found.push(...page.data)
    starting_after = page.data.at(-1)?.id
    if (!page.has_more) return found.reverse()
  }
}

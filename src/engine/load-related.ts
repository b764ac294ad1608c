import type { PaymentMethodWithDependents } from '../domain/billing/card-detachment.ts'
import type { InvoiceItem } from '../domain/billing/invoice-items.ts'
import type { CustomerDependents } from '../domain/completion/customer-deletion.ts'
import type {
  CompletableSession,
  HostedSession,
  SessionWithDependents,
} from '../domain/completion/hosted-session.ts'
import { isDeleted } from '../domain/core/changes.ts'
import type { WebhookDelivery } from '../domain/events/webhook-deliveries.ts'
import type { EndpointDependents } from '../domain/events/webhook-endpoint-changes.ts'
import { getAuthenticationId } from '../domain/payments/authentications.ts'
import { requireCustomer } from '../domain/payments/customers.ts'
import type { Dispute } from '../domain/payments/disputes.ts'
import type { PaymentMethod } from '../domain/payments/payment-methods.ts'
import type { Payment } from '../domain/payments/payments.ts'
import type { CustomerToMove } from '../domain/schedule/test-clock-creation.ts'
import type { EnteredPromotionCode } from '../domain/sessions/promotion-codes.ts'
import type { CollectionName, CollectionRecordTypes } from '../store/port/collections.ts'
import type { ListQuery, StoreReader } from '../store/port/store.ts'
import { findCompletableSession, HOSTED_SESSION_COLLECTIONS } from './find-session.ts'
import { loadPendingAuthentication } from './pending-authentication.ts'

const RECORDS_PER_PAGE = 100
/** The statuses in which an invoice can still be collected or paid. */
const UNSETTLED = ['draft', 'open', 'uncollectible']

/**
 * Loads the records that the deletion of a customer closes, such as open sessions, live subscriptions, unsettled
 * invoices and cards.
 */
export async function loadCustomerDependents(
  reader: StoreReader,
  customer: string,
): Promise<CustomerDependents> {
  const open = { where: { customer, status: 'open' } }
  const sessions = await Promise.all(
    HOSTED_SESSION_COLLECTIONS.map((name) => loadMatching(reader, name, open)),
  )
  return {
    sessions: await Promise.all(sessions.flat().map((session) => loadSessionDependents(reader, session))),
    subscriptions: await loadMatching(reader, 'subscriptions', { where: { live_customer: customer } }),
    pendingItems: await loadPendingInvoiceItems(reader, { pending_customer: customer }),
    invoices: await Promise.all(
      (await loadMatching(reader, 'invoices', { where: { customer, status: UNSETTLED } })).map(
        async (invoice) => ({ invoice, ...(await loadPendingAuthentication(reader, invoice.id)) }),
      ),
    ),
    paymentMethods: await loadMatching(reader, 'payment_methods', { where: { customer } }),
    payments: await loadWaitingApiPayments(reader, customer),
  }
}

/** Loads a session with the records that end with it. */
export async function loadSessionDependents<S extends HostedSession>(
  reader: StoreReader,
  session: S,
): Promise<SessionWithDependents<S>> {
  return {
    session,
    ...(await loadPendingAuthentication(reader, session.id)),
    enteredCode: await findEnteredPromotionCode(reader, session),
  }
}

/**
 * Loads the code that the customer of a session entered; null if there is no code or the session does not accept codes.
 */
export async function findEnteredPromotionCode(
  reader: StoreReader,
  session: HostedSession,
): Promise<EnteredPromotionCode | null> {
  const isAllowed = session.object === 'checkout_session' && session.allow_promotion_codes
  return isAllowed ? reader.get('entered_codes', session.id) : null
}

async function loadWaitingApiPayments(reader: StoreReader, customer: string) {
  const waiting = await loadMatching(reader, 'payments', { where: { customer, status: 'requires_action' } })
  return Promise.all(
    waiting.filter(({ origin }) => origin === 'api').map(({ id }) => loadPendingAuthentication(reader, id)),
  )
}

/** Loads a customer with a session of the customer, which may prevent the move to a test clock. */
export async function loadCustomerForClockMove(reader: StoreReader, id: string): Promise<CustomerToMove> {
  const customer = requireCustomer(await reader.get('customers', id), id)
  const newest = { where: { customer: id }, limit: 1 }
  const pages = await Promise.all(HOSTED_SESSION_COLLECTIONS.map((name) => reader.list(name, newest)))
  return { customer, session: pages.flatMap(({ data }): readonly HostedSession[] => data)[0] ?? null }
}

/** Loads a saved card with its customer, live subscriptions and the payments that wait for authentication. */
export async function loadPaymentMethodWithDependents(
  reader: StoreReader,
  method: PaymentMethod,
): Promise<PaymentMethodWithDependents> {
  const { customer } = method
  if (customer === null) return { method, customer, subscriptions: [], pendingPayments: [] }
  const pending = await loadMatching(reader, 'payments', { where: { customer, status: 'requires_action' } })
  return {
    method,
    customer: await reader.get('customers', customer),
    subscriptions: await loadMatching(reader, 'subscriptions', { where: { live_customer: customer } }),
    pendingPayments: await Promise.all(
      pending
        .filter((payment) => payment.payment_method === method.id)
        .map(async (payment) => ({
          payment,
          authentication: await reader.get('authentications', getAuthenticationId(payment)),
        })),
    ),
  }
}

/** Loads the records that are removed with a webhook endpoint: its pending deliveries and its health. */
export async function loadEndpointDependents(
  reader: StoreReader,
  webhookEndpoint: string,
): Promise<EndpointDependents> {
  const where = { webhook_endpoint: webhookEndpoint, status: 'pending' }
  return {
    pending: await loadMatching(reader, 'webhook_deliveries', { where }),
    health: await reader.get('webhook_health', webhookEndpoint),
  }
}

/** Loads every delivery attempt of an event, oldest first. */
export function loadEventDeliveries(reader: StoreReader, event: string): Promise<WebhookDelivery[]> {
  return loadMatching(reader, 'webhook_deliveries', { where: { event } })
}

/** Loads the pending deliveries that faults delay or hold at `wallNow`, oldest first. */
export async function loadHeldDeliveries(
  reader: StoreReader,
  faults: readonly string[],
  wallNow: number,
): Promise<WebhookDelivery[]> {
  if (faults.length === 0) return []
  const pending = await loadMatching(reader, 'webhook_deliveries', { where: { status: 'pending' } })
  return pending.filter(
    ({ fault, next_attempt_at: due }) =>
      fault !== null && faults.includes(fault) && (due === null || due > wallNow),
  )
}

/** Loads the pending invoice items of a subscription or a customer, which no invoice bills yet, oldest first. */
export async function loadPendingInvoiceItems(
  reader: StoreReader,
  where: { readonly pending_subscription: string } | { readonly pending_customer: string },
): Promise<InvoiceItem[]> {
  const items = await loadMatching(reader, 'invoice_items', { where })
  return items.filter((item): item is InvoiceItem => !isDeleted(item))
}

/** Loads a record that another record refers to, and that is never removed. */
export async function loadReferencedRecord<C extends CollectionName>(
  reader: StoreReader,
  collection: C,
  id: string,
): Promise<CollectionRecordTypes[C]> {
  const record = await reader.get(collection, id)
  if (record === null) throw new Error(`${id} does not exist in ${collection}`)
  return record
}

/** Loads a session that another record refers to; throws for an unknown session. */
export async function loadReferencedSession(reader: StoreReader, id: string): Promise<CompletableSession> {
  const session = await findCompletableSession(reader, id)
  if (session === null) throw new Error(`session ${id} does not exist`)
  return session
}

/** Loads the open inquiries about a payment, oldest first. */
export async function loadOpenInquiries(reader: StoreReader, { id, disputed }: Payment): Promise<Dispute[]> {
  return disputed ? loadMatching(reader, 'disputes', { where: { inquired_payment: id } }) : []
}

/** Loads every matching record, oldest first. */
export async function loadMatching<C extends CollectionName>(
  reader: StoreReader,
  collection: C,
  query: Pick<ListQuery, 'where' | 'ranges'>,
): Promise<CollectionRecordTypes[C][]> {
  const found: CollectionRecordTypes[C][] = []
  for await (const records of iterateRecordPages(reader, collection, query)) found.push(...records)
  return found.reverse()
}

/** Yields the matching records in pages of 100, newest first. */
export async function* iterateRecordPages<C extends CollectionName>(
  reader: StoreReader,
  collection: C,
  query: Pick<ListQuery, 'where' | 'ranges'>,
): AsyncGenerator<readonly CollectionRecordTypes[C][]> {
  let cursor: Pick<ListQuery, 'starting_after'> = {}
  for (;;) {
    const page = await reader.list(collection, { ...query, ...cursor, limit: RECORDS_PER_PAGE })
    yield page.data
    const last = page.data.at(-1)
    if (!page.has_more || last === undefined) return
    cursor = { starting_after: last.id }
  }
}

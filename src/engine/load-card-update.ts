import type { Invoice } from '../domain/billing/invoices.ts'
import type { Subscription } from '../domain/billing/subscriptions.ts'
import { type CardSession, willChargeNewCard } from '../domain/completion/card-sessions.ts'
import type { CardUpdateRecords } from '../domain/completion/card-update.ts'
import type { Customer } from '../domain/payments/customers.ts'
import type { CardDetails } from '../domain/payments/payment-methods.ts'
import type { StoreReader } from '../store/port/store.ts'
import { loadBillingAccount, loadCollectionHistory, loadUsableCard } from './load-billing.ts'
import { loadAll } from './load-related.ts'

/** Loads the subscriptions and open invoices that completing a card session affects. */
export async function loadCardUpdate(reader: StoreReader, session: CardSession): Promise<CardUpdateRecords> {
  const { customer } = session
  const live = await loadAll(reader, 'subscriptions', { where: { live_customer: customer } })
  const subscriptions = live.filter((subscription) => willChargeNewCard(session, subscription))
  if (!session.pay_open_invoices) return { subscriptions, invoices: [] }
  const accounts = await Promise.all(
    subscriptions.map((subscription) => loadBillingAccount(reader, subscription)),
  )
  const owed = accounts.flatMap((account) =>
    account.invoices.filter(isPaidByCard).map((invoice) => ({ account, invoice })),
  )
  // The sort is stable, so invoices of the same period keep the order of their subscriptions.
  const sorted = owed.toSorted((a, b) => a.invoice.period_start - b.invoice.period_start)
  const invoices = sorted.map(async ({ account, invoice }) => ({
    account,
    invoice,
    history: await loadCollectionHistory(reader, invoice),
  }))
  return { subscriptions, invoices: await Promise.all(invoices) }
}

/** Loads the distinct cards that the completion of a card session replaces. */
export async function loadReplacedCards(
  reader: StoreReader,
  { use_for }: Pick<CardSession, 'use_for'>,
  customer: Customer,
  subscriptions: readonly Subscription[],
): Promise<CardDetails[]> {
  const chosen = subscriptions.map((subscription) => subscription.default_payment_method)
  const all = use_for === 'subscription' ? chosen : [null, ...chosen]
  const methods = await Promise.all(all.map((id) => loadUsableCard(reader, customer, id)))
  const cards = methods.flatMap((method) => method?.card ?? [])
  // The same card may have been saved several times.
  const byNumber = cards.map(
    (card) => [`${card.fingerprint} ${card.exp_month} ${card.exp_year}`, card] as const,
  )
  return [...new Map(byNumber).values()]
}

// An invoice that was sent to the customer is paid in another way, or on its own page.
function isPaidByCard({ status, collection_method }: Invoice): boolean {
  return status === 'open' && collection_method === 'charge_automatically'
}

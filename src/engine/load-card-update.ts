import type { Invoice } from '../domain/billing/invoices.ts'
import type { Subscription } from '../domain/billing/subscriptions.ts'
import type { CardUpdateRecords } from '../domain/completion/card-session-completion.ts'
import { type CardSession, isNewCardCharged } from '../domain/completion/card-sessions.ts'
import type { Customer } from '../domain/payments/customers.ts'
import {
  type CardDetails,
  getInstrument,
  type Instrument,
  isBankAccount,
} from '../domain/payments/payment-methods.ts'
import { isPaymentProcessing } from '../domain/payments/payment-processing.ts'
import type { StoreReader } from '../store/port/store.ts'
import {
  findAttachedCard,
  loadInvoiceCollectionHistory,
  loadSubscriptionBillingRecords,
} from './load-billing.ts'
import { loadMatching } from './load-related.ts'

/** Loads the subscriptions and open invoices that completing a card session affects. */
export async function loadCardUpdateRecords(
  reader: StoreReader,
  session: CardSession,
): Promise<CardUpdateRecords> {
  const { customer } = session
  const live = await loadMatching(reader, 'subscriptions', { where: { live_customer: customer } })
  const subscriptions = live.filter((subscription) => isNewCardCharged(session, subscription))
  if (!session.pay_open_invoices) return { subscriptions, invoices: [] }
  const accounts = await Promise.all(
    subscriptions.map((subscription) => loadSubscriptionBillingRecords(reader, subscription)),
  )
  const owed = accounts.flatMap((account) =>
    account.invoices.filter(isPaidByCard).map((invoice) => ({ account, invoice })),
  )
  // The sort is stable, so invoices of the same period keep the order of their subscriptions.
  const sorted = owed.toSorted((a, b) => a.invoice.period_start - b.invoice.period_start)
  const invoices = sorted.map(async ({ account, invoice }) => ({
    account,
    invoice,
    history: await loadInvoiceCollectionHistory(reader, invoice),
  }))
  const loaded = await Promise.all(invoices)
  // Skip an invoice while a debit of the invoice has no outcome, so that no invoice is paid twice.
  const unpaid = loaded.filter(({ history }) => !history.payments.some(isPaymentProcessing))
  return { subscriptions, invoices: unpaid }
}

/** Loads the distinct cards and bank accounts that the completion of a card session replaces. */
export async function loadReplacedCards(
  reader: StoreReader,
  { use_for }: Pick<CardSession, 'use_for'>,
  customer: Customer,
  subscriptions: readonly Subscription[],
): Promise<Instrument[]> {
  const chosen = subscriptions.map((subscription) => subscription.default_payment_method)
  const all = use_for === 'subscription' ? chosen : [null, ...chosen]
  const methods = await Promise.all(all.map((id) => findAttachedCard(reader, customer, id)))
  const cards = methods.flatMap((method) => (method === null ? [] : getInstrument(method)))
  // Remove duplicates, because the same card may have been saved several times.
  const byNumber = cards.map(
    (card) => [isBankAccount(card) ? card.fingerprint : createCardKey(card), card] as const,
  )
  return [...new Map(byNumber).values()]
}

function createCardKey({ fingerprint, exp_month, exp_year }: CardDetails): string {
  return `${fingerprint} ${exp_month} ${exp_year}`
}

// An invoice that was sent to the customer is not charged: the customer pays it in another way, or on its own page.
function isPaidByCard({ status, collection_method }: Invoice): boolean {
  return status === 'open' && collection_method === 'charge_automatically'
}

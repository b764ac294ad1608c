import { type CardSession, isCardUsed } from '../domain/card-sessions.ts'
import type { CardUpdateRecords } from '../domain/card-update.ts'
import type { StoreReader } from '../store/port/store.ts'
import { loadInvoiceRecords } from './load-billing.ts'
import { loadAll } from './load-related.ts'

/** Loads the subscriptions and open invoices that completing a card session affects. */
export async function loadCardUpdate(reader: StoreReader, session: CardSession): Promise<CardUpdateRecords> {
  const { customer } = session
  const live = await loadAll(reader, 'subscriptions', { where: { live_customer: customer } })
  const subscriptions = live.filter((subscription) => isCardUsed(session, subscription))
  if (!session.pay_open_invoices) return { subscriptions, invoices: [] }
  const ids = new Set<string | null>(subscriptions.map(({ id }) => id))
  const open = await loadAll(reader, 'invoices', { where: { customer, status: 'open' } })
  // An invoice that was sent to the customer is paid in another way, or on its own page.
  const charged = open.filter(
    ({ subscription, collection_method }) =>
      ids.has(subscription) && collection_method === 'charge_automatically',
  )
  // The sort is stable, so invoices of the same period keep the order of their creation.
  const sorted = charged.toSorted((a, b) => a.period_start - b.period_start)
  return {
    subscriptions,
    invoices: await Promise.all(sorted.map((invoice) => loadInvoiceRecords(reader, invoice))),
  }
}

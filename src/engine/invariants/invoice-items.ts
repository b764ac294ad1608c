import { isDeleted } from '../../domain/core/changes.ts'
import { type Invariant, isSameJson } from './snapshot.ts'

/** The fields that an invoice line has in common with its invoice item. */
const COMMON_FIELDS = [
  ...(['description', 'type', 'quantity', 'unit_amount', 'amount', 'tax_percent', 'tax_amount'] as const),
  ...(['total', 'period', 'proration', 'subscription_item'] as const),
]

/** P50: a subscription that ended has no pending invoice items, because no invoice would ever bill these items. */
export const endedSubscriptionsHaveNoPendingItems: Invariant = function* ({ records }) {
  const ended = new Set(
    records.subscriptions.filter(({ status }) => status === 'canceled').map(({ id }) => id),
  )
  for (const item of records.invoice_items) {
    if (isDeleted(item) || item.invoice !== null || !ended.has(item.subscription)) continue
    yield `${item.id}: pending, but ${item.subscription} is canceled. Delete it with paycli invoice-items delete ${item.id}`
  }
}

/** P47: an invoice has one line for each invoice item that refers to the invoice, before all other lines. */
export const invoiceItemsAreBilledOnce: Invariant = function* ({ records }) {
  const items = new Map(records.invoice_items.flatMap((item) => (isDeleted(item) ? [] : [[item.id, item]])))
  const billed = new Set<string>()
  for (const { id, subscription, customer, lines } of records.invoices) {
    let isRegular = false
    for (const line of lines) {
      if (!line.invoice_item) {
        isRegular = true
        continue
      }
      const item = items.get(line.invoice_item)
      if (isRegular) yield `${id}: ${line.id} bills an invoice item after other lines`
      if (billed.has(line.invoice_item)) yield `${id}: bills ${line.invoice_item} again`
      billed.add(line.invoice_item)
      if (item?.invoice !== id) yield `${id}: bills ${line.invoice_item}, which names ${item?.invoice}`
      const isOwn = item?.subscription === subscription && item?.customer === customer
      if (!isOwn) yield `${id}: bills ${line.invoice_item} of another subscription`
      for (const field of COMMON_FIELDS) {
        // A discount reduces the tax and the total of the line.
        if (line.discount_amount !== 0 && (field === 'tax_amount' || field === 'total')) continue
        if (!isSameJson(line[field], item?.[field]))
          yield `${id}: ${field} of ${line.id} differs from its item`
      }
    }
  }
  for (const { id, invoice } of items.values()) {
    if (invoice !== null && !billed.has(id)) yield `${id}: names ${invoice}, which does not bill it`
  }
}

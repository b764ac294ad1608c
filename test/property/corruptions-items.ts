import { at, type Corruption, type Records } from './corruptions.ts'

/** Returns the invoice items that an invoice bills if `isBilled`, otherwise the pending invoice items. */
function itemsOf({ invoice_items }: Records, isBilled: boolean) {
  return invoice_items.flatMap((item) =>
    'deleted' in item || (item.invoice !== null) !== isBilled ? [] : [item],
  )
}

/** Returns the invoice with invoice items. */
function billing(records: Records) {
  const found = records.invoices.filter(({ lines }) => lines.some((line) => line.invoice_item !== null))
  return at(found, 0)
}

/** Returns the invoice that created credit, or one that used credit. */
function settled({ invoices }: Records, isCredit: boolean) {
  const found = invoices.filter(({ balance_applied: applied }) => (isCredit ? applied < 0 : applied > 0))
  return at(found, 0)
}

/** Returns the customer of the invoice that created credit. */
function creditor(records: Records) {
  const { customer } = settled(records, true)
  const found = records.customers.flatMap((one) => ('deleted' in one || one.id !== customer ? [] : [one]))
  return at(found, 0)
}

/** Corruptions for the invariants of invoice items and credit. */
export const ITEM_CORRUPTIONS: readonly Corruption[] = [
  ['P1', 'a negative quantity', (records) => (at(billing(records).lines, 0).quantity = -1)],
  ['P1', 'half a unit of credit', (records) => (settled(records, true).balance_applied = -0.5)],
  ['P49', 'a balance of another currency', (records) => (creditor(records).balances['usd'] = -1)],
  ['P49', 'a debt', (records) => (creditor(records).balances = { eur: 1 })],
  ['P49', 'a credit that is larger than the total', (records) => (settled(records, true).total += 1)],
  ['P49', 'credit that was not used', (records) => (settled(records, false).total += 1)],
  ['P49', 'a draft with a balance', (records) => (settled(records, false).finalized_at = null)],
  [
    'P49',
    'a finalized invoice without balance',
    (records) => (settled(records, false).ending_balance = null),
  ],
  ['P49', 'a void invoice that keeps its credit', (records) => (settled(records, false).status = 'void')],
  ['P2', 'a line with another quantity', (records) => (at(billing(records).lines, 0).quantity += 1)],
  ['P2', 'an invoice item with another tax', (records) => (at(itemsOf(records, false), 0).tax_amount += 1)],
  ['P47', 'an item that is not on its invoice', (records) => billing(records).lines.shift()],
  [
    'P47',
    'an item that is billed twice',
    (records) => billing(records).lines.unshift(at(billing(records).lines, 0)),
  ],
  ['P47', 'a billed item that is pending', (records) => (at(itemsOf(records, true), 0).invoice = null)],
  [
    'P50',
    'a canceled subscription with a pending item',
    (records) => {
      const { subscription } = at(itemsOf(records, false), 0)
      const found = records.subscriptions.filter(({ id }) => id === subscription)
      at(found, 0).status = 'canceled'
    },
  ],
  ['P47', 'an item after the regular lines', (records) => billing(records).lines.reverse()],
  ['P47', 'a line with another price', (records) => (at(billing(records).lines, 0).amount += 1)],
  [
    'P47',
    'an item of another subscription',
    (records) => (at(itemsOf(records, true), 0).subscription = at(records.subscriptions, 0).id),
  ],
]

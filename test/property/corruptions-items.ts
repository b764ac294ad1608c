import { at, type Corruption, type MutableSnapshot } from './corruptions.ts'

type Records = MutableSnapshot['records']

/** Returns the invoice items that an invoice bills, or the pending ones. */
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

/** Corruptions for the invariants of invoice items. */
export const ITEM_CORRUPTIONS: readonly Corruption[] = [
  ['P1', 'a negative quantity', (records) => (at(billing(records).lines, 0).quantity = -1)],
  ['P2', 'a line with another quantity', (records) => (at(billing(records).lines, 0).quantity += 1)],
  ['P2', 'an invoice item with another tax', (records) => (at(itemsOf(records, false), 0).tax_amount += 1)],
  ['P47', 'an item that is not on its invoice', (records) => billing(records).lines.shift()],
  [
    'P47',
    'an item that is billed twice',
    (records) => billing(records).lines.unshift(at(billing(records).lines, 0)),
  ],
  ['P47', 'a billed item that is pending', (records) => (at(itemsOf(records, true), 0).invoice = null)],
  ['P47', 'an item after the regular lines', (records) => billing(records).lines.reverse()],
  ['P47', 'a line with another price', (records) => (at(billing(records).lines, 0).amount += 1)],
  [
    'P47',
    'an item of another subscription',
    (records) => (at(itemsOf(records, true), 0).subscription = at(records.subscriptions, 0).id),
  ],
]

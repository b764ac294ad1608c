import type { InvoiceLine } from '../../domain/billing/invoices.ts'
import type { Discount } from '../../domain/sessions/discounts.ts'
import { humanizeName } from '../../presentation/words.ts'
import type { Language } from '../languages/language.ts'
import { type Html, type HtmlValue, html, isolateTextDirection } from '../markup/html.ts'

/** A line of an invoice or of another receipt. */
export type ReceiptLine = Pick<
  InvoiceLine,
  'description' | 'type' | 'quantity' | 'unit_amount' | 'amount' | 'tax_percent' | 'proration'
> & { readonly period: InvoiceLine['period'] | null }

/** The currency and the billing period of an invoice or of another receipt. */
export interface CurrencyAndPeriod {
  readonly currency: string
  readonly period_start: number | null
  readonly period_end: number | null
}

/** A name with an amount: an item without a kind, a sum of items, an amount that changes the sum, or the total. */
export interface OrderRow {
  readonly kind?: 'sum' | 'tax' | 'due'
  readonly name: HtmlValue
  /** Lines below the name; null entries are skipped. */
  readonly notes?: readonly HtmlValue[]
  readonly amount: HtmlValue
}

/** Renders rows of an order as a list. Skips false entries. */
export function renderOrderList(rows: readonly (OrderRow | false)[]): Html {
  return html`<ul class="lines">
${rows.map((row) => row && orderRow(row))}</ul>`
}

function orderRow({ kind, name, notes = [], amount }: OrderRow): Html {
  const small = notes.map((note) => note && html`<small>${note}</small>`)
  return html`<li${kind && html` class="${kind}"`}><span>${name}${small}</span><span>${amount}</span></li>
`
}

/**
 * Returns the rows of an invoice or of another receipt above its total: its lines, the sums if they differ from the
 * lines, and the used credit in minor units.
 */
export function createReceiptRows(
  order: CurrencyAndPeriod & OrderSums & { readonly lines: readonly ReceiptLine[] },
  credit: number,
  language: Language,
): OrderRow[] {
  const hasCredit = credit > 0
  const hasSums = hasCredit || order.discount_amount !== 0 || order.taxes.some(({ amount }) => amount !== 0)
  return [
    ...order.lines.map((line) => createLineRow(line, order, language)),
    ...(hasSums ? createBreakdownRows(order, language) : []),
    ...(hasCredit ? [createCreditRow(credit, order.currency, language)] : []),
  ]
}

/** Returns the row of a receipt line, with its period if it differs from the period of the receipt. */
function createLineRow(line: ReceiptLine, billed: CurrencyAndPeriod, language: Language): OrderRow {
  const { t, formatPercent, formatMoney } = language
  const rate = line.tax_percent
  return {
    name: isolateTextDirection(getItemName(line, language)),
    notes: [
      describeLinePeriod(line, billed, language),
      formatUnitsNote(line.quantity, line.unit_amount, billed.currency, language),
      rate > 0 ? t('tax', { percent: formatPercent(rate) }) : null,
    ],
    amount: formatMoney(line.amount, billed.currency),
  }
}

function describeLinePeriod(
  { period, proration, unit_amount }: ReceiptLine,
  { period_start, period_end }: CurrencyAndPeriod,
  { t, formatDate }: Language,
): string | null {
  if (period === null) return null
  const dates = { start: formatDate(period.start), end: formatDate(period.end) }
  if (proration) return t(unit_amount < 0 ? 'unusedTime' : 'remainingTime', dates)
  // The period of a one-off fee starts and ends at its creation time.
  const isOneOff = period.start === period.end
  const isOwn = period.start !== period_start || period.end !== period_end
  return isOwn && !isOneOff ? t('period', dates) : null
}

/** Returns the name of an item: its description, otherwise its type. */
export function getItemName(
  { description, type }: Pick<InvoiceLine, 'description' | 'type'>,
  { t }: Language,
): string {
  if (description !== null) return description
  return type === 'other' ? t('item') : humanizeName(type)
}

/** Returns the quantity and unit price, such as `3 × €15.00`; null for one unit. */
export function formatUnitsNote(
  quantity: number,
  unitAmount: number,
  currency: string,
  { formatUnits, formatMoney }: Language,
): string | null {
  return quantity === 1 ? null : formatUnits(quantity, formatMoney(unitAmount, currency))
}

/** The sums of an order in minor units. */
export interface OrderSums {
  readonly subtotal: number
  readonly discount: Pick<Discount, 'name' | 'percent_off'> | null
  readonly discount_amount: number
  /** The discounted invoices, such as `for 3 months`; absent on an invoice. */
  readonly discounted?: string | null
  readonly taxes: readonly { readonly tax_percent: number; readonly amount: number }[]
  readonly currency: string
}

/** Returns rows for the subtotal, the discount and each tax. */
export function createBreakdownRows(
  sums: OrderSums,
  { t, formatPercent, formatMoney }: Language,
): OrderRow[] {
  const taxes = sums.taxes.filter((tax) => tax.amount !== 0)
  const { discount, discounted = null, currency } = sums
  const percent = discount?.percent_off ?? null
  const notes = [discount?.name ?? null, percent === null ? null : formatPercent(percent), discounted]
  const off = formatMoney(-sums.discount_amount, currency)
  return [
    { kind: 'sum', name: t('subtotal'), amount: formatMoney(sums.subtotal, currency) },
    ...(sums.discount_amount === 0
      ? []
      : [{ kind: 'tax' as const, name: t('discount'), notes, amount: off }]),
    ...taxes.map(({ tax_percent, amount }) => ({
      kind: 'tax' as const,
      name: t('tax', { percent: formatPercent(tax_percent) }),
      amount: formatMoney(amount, currency),
    })),
  ]
}

/** Renders rows as a list, which the style collapses on narrow screens if there are more than `max` rows. */
export function renderFoldableList(rows: readonly OrderRow[], max: number, language: Language): Html {
  const list = renderOrderList(rows)
  return rows.length > max ? renderCollapsibleLines(rows.length, list, language) : list
}

/** Returns the lines of an order in an element that the style collapses on narrow screens. */
export function renderCollapsibleLines(count: number, lines: Html, { plural, messages }: Language): Html {
  return html`<details class="fold"><summary>${plural(messages.showDetails, count)}</summary>${lines}</details>`
}

/** Returns whether a description contains more than the names of the items. */
export function isDescriptionUseful(
  description: string,
  items: readonly Pick<InvoiceLine, 'description' | 'type'>[],
  language: Language,
): boolean {
  const names = items.map((item) => getItemName(item, language)).join(', ')
  return !names.startsWith(description)
}

/** Returns the row of the credit that reduces the amount to pay; `credit` is in minor units. */
export function createCreditRow(credit: number, currency: string, { t, formatMoney }: Language): OrderRow {
  return { kind: 'tax', name: t('creditUsed'), amount: formatMoney(-credit, currency) }
}

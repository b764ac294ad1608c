import type { InvoiceLine } from '../../domain/billing/invoices.ts'
import { toWords } from '../../presentation/words.ts'
import type { Language } from '../languages/language.ts'
import { type Html, html, isolateText } from '../markup/html.ts'

/** A line of an invoice or of another receipt. */
export type OrderLine = Pick<
  InvoiceLine,
  'description' | 'type' | 'quantity' | 'unit_amount' | 'amount' | 'tax_percent' | 'proration'
> & { readonly period: InvoiceLine['period'] | null }

/** The currency and the billing period of an invoice or of another receipt. */
export interface BilledPeriod {
  readonly currency: string
  readonly period_start: number | null
  readonly period_end: number | null
}

/** Returns a line of an invoice or of another receipt, with its period if that is not the one of the invoice. */
export function invoiceLine(line: OrderLine, billed: BilledPeriod, language: Language): Html {
  const { t, formatPercent, formatMoney } = language
  const rate = line.tax_percent
  const tax = rate > 0 && html`<small>${t('tax', { percent: formatPercent(rate) })}</small>`
  const units = unitsNote(line.quantity, line.unit_amount, billed.currency, language)
  const period = describeLinePeriod(line, billed, language)
  return html`<li><span>${isolateText(itemName(line, language))}${period && html`<small>${period}</small>`}${units}${tax}</span><span>${formatMoney(line.amount, billed.currency)}</span></li>
`
}

function describeLinePeriod(
  { period, proration, unit_amount }: OrderLine,
  { period_start, period_end }: BilledPeriod,
  { t, formatDate }: Language,
): string | null {
  if (period === null) return null
  const dates = { start: formatDate(period.start), end: formatDate(period.end) }
  if (proration) return t(unit_amount < 0 ? 'unusedTime' : 'remainingTime', dates)
  // A one-off fee has the time of its creation as its period.
  const isOneOff = period.start === period.end
  const isOwn = period.start !== period_start || period.end !== period_end
  return isOwn && !isOneOff ? t('period', dates) : null
}

/** Returns the name of an item: its description, or its type. */
export function itemName(
  { description, type }: Pick<InvoiceLine, 'description' | 'type'>,
  { t }: Language,
): string {
  if (description !== null) return description
  return type === 'other' ? t('item') : toWords(type)
}

/** Returns quantity and price of an item or line such as `3 × €15.00`, or nothing for one unit. */
export function unitsNote(
  quantity: number,
  unitAmount: number,
  currency: string,
  { formatUnits, formatMoney }: Language,
): Html | null {
  if (quantity === 1) return null
  return html`<small>${formatUnits(quantity, formatMoney(unitAmount, currency))}</small>`
}

/** Returns lines for the subtotal and each tax. Amounts are in minor units. */
export function taxBreakdownLines(
  sums: {
    readonly subtotal: number
    readonly taxes: readonly { readonly tax_percent: number; readonly amount: number }[]
    readonly currency: string
  },
  { t, formatPercent, formatMoney }: Language,
): Html {
  const lines = sums.taxes
    .filter((tax) => tax.amount !== 0)
    .map(
      (tax) =>
        html`<li class="tax"><span>${t('tax', { percent: formatPercent(tax.tax_percent) })}</span><span>${formatMoney(tax.amount, sums.currency)}</span></li>`,
    )
  return html`<li class="sum"><span>${t('subtotal')}</span><span>${formatMoney(sums.subtotal, sums.currency)}</span></li>${lines}`
}

/** Returns the lines of an order, which the style collapses on narrow screens. */
export function collapsibleLines(count: number, lines: Html, { plural, messages }: Language): Html {
  return html`<details class="fold"><summary>${plural(messages.showDetails, count)}</summary>${lines}</details>`
}

/** Returns whether a description says more than the names of the items. */
export function isDescriptionUseful(
  description: string,
  items: readonly Pick<InvoiceLine, 'description' | 'type'>[],
  language: Language,
): boolean {
  const names = items.map((item) => itemName(item, language)).join(', ')
  return !names.startsWith(description)
}

/** Returns the line of the credit that reduces the amount to pay, in minor units. */
export function creditLine(credit: number, currency: string, { t, formatMoney }: Language): Html {
  return html`<li class="tax"><span>${t('creditUsed')}</span><span>${formatMoney(-credit, currency)}</span></li>`
}

import type { Invoice } from '../../domain/billing/invoices.ts'
import type { Customer } from '../../domain/payments/customers.ts'
import type { CardDetails } from '../../domain/payments/payment-methods.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import { getBrandName } from '../../presentation/card-brands.ts'
import type { Language } from '../languages/language.ts'
import { type Html, type HtmlValue, html, isolateText } from '../markup/html.ts'
import { detailList, truncateText } from '../view/layout.ts'
import { creditLine, invoiceLine, isDescriptionUseful, taxBreakdownLines } from '../view/order-lines.ts'
import type { ReceiptOrder } from './receipt-order.ts'

/** The records that a receipt shows. Without a payment it documents an order for which nothing was charged. */
export interface Receipt {
  readonly order: ReceiptOrder
  readonly invoice: Invoice | null
  /** The successful payment; null when nothing was charged. */
  readonly payment: Payment | null
  /** The business name or host of the merchant; null when it is unknown. */
  readonly seller: string | null
  /** Null after the customer was deleted. */
  readonly customer: Pick<Customer, 'name' | 'email'> | null
}

type DetailRow = readonly [name: string, value: HtmlValue]

/** The parts of a page that show a receipt. */
export interface ReceiptParts {
  /** The paid amount and the date, below the title. */
  readonly heading: Html | null
  readonly details: readonly DetailRow[]
  readonly lines: Html
}

/** Renders the parts of a page that show a receipt. */
export function renderReceipt(receipt: Receipt, language: Language): ReceiptParts {
  return {
    heading: renderPaidAmount(receipt, language),
    details: describeReceipt(receipt, language),
    lines: receiptLines(receipt, language),
  }
}

/** Renders the receipts of invoices that were paid together, one below the other. */
export function renderReceipts(receipts: readonly Receipt[], language: Language): ReceiptParts {
  const [first, ...others] = receipts
  if (first !== undefined && others.length === 0) return renderReceipt(first, language)
  const parts = receipts.map((receipt) => {
    const { heading, details, lines } = renderReceipt(receipt, language)
    const title = language.t('invoiceNumber', { number: receipt.invoice?.number ?? '' })
    return html`<h2>${title}</h2>\n${heading}\n${detailList(details)}\n${lines}\n`
  })
  return { heading: null, details: [], lines: html`${parts}` }
}

function renderPaidAmount(receipt: Receipt, language: Language): Html | null {
  const { t, formatMoney, formatDate } = language
  const paid = getPaid(receipt)
  if (paid === null) return null
  const date = t('paidOn', { date: formatDate(paid.at) })
  const state = getRefundState(receipt.payment)
  return html`<p class="price">${formatMoney(paid.amount, receipt.order.currency)}</p>
<p class="paid">${date}${state && html` · <strong>${t(state)}</strong>`}</p>`
}

/** Returns the paid amount in minor units and the time in Unix seconds; null when nothing was paid. */
function getPaid({ invoice, payment }: Receipt): { readonly amount: number; readonly at: number } | null {
  if (payment !== null) return { amount: payment.amount, at: payment.succeeded_at ?? payment.created }
  if (invoice?.status !== 'paid' || invoice.amount_paid === 0) return null
  return { amount: invoice.amount_paid, at: invoice.paid_at ?? invoice.created }
}

function getRefundState(payment: Payment | null): 'refunded' | 'partlyRefunded' | null {
  if (payment === null || payment.amount_refunded === 0) return null
  return payment.refunded ? 'refunded' : 'partlyRefunded'
}

function describeReceipt(
  { order, invoice, payment, seller, customer }: Receipt,
  language: Language,
): DetailRow[] {
  const { t, formatDate } = language
  const { description, lines, period_start, period_end } = order
  const rows: (DetailRow | null | false)[] = [
    invoice && [t('invoice'), invoice.number],
    payment && [t('reference'), html`<small>${payment.id}</small>`],
    seller !== null && [t('seller'), isolateText(seller)],
    customer && [t('customer'), describeCustomer(customer, language)],
    payment && [t('card'), shortCard(payment.payment_method_details.card, language)],
    period_start !== null &&
      period_end !== null && [
        t('servicePeriod'),
        t('period', { start: formatDate(period_start), end: formatDate(period_end) }),
      ],
    description !== null &&
      isDescriptionUseful(description, lines, language) && [t('purpose'), truncateText(description)],
  ]
  return rows.filter((row) => row !== null && row !== false)
}

/** Returns the name and address of a customer. */
export function describeCustomer(
  { name, email }: Pick<Customer, 'name' | 'email'>,
  { tMarkup }: Language,
): Html {
  const address = isolateText(email)
  return name === null ? address : tMarkup('nameAndEmail', { name: isolateText(name), email: address })
}

/** Returns a card such as `Visa •••• 4242`, which screen readers announce as `Visa ending in 4242`. */
export function shortCard({ brand, last4 }: Pick<CardDetails, 'brand' | 'last4'>, { t }: Language): Html {
  const name = getBrandName(brand) ?? t('card')
  return html`<bdi dir="ltr" role="img" aria-label="${t('cardEnding', { brand: name, last4 })}">${name} •••• ${last4}</bdi>`
}

function receiptLines({ order, payment }: Receipt, language: Language): Html {
  const { t, formatMoney } = language
  const { currency, credit, total } = order
  const hasTax = order.taxes.some(({ amount }) => amount !== 0)
  const refunded = payment?.amount_refunded ?? 0
  return html`<ul class="lines">
${order.lines.map((line) => invoiceLine(line, order, language))}
${(hasTax || credit > 0) && taxBreakdownLines(order, language)}
${credit > 0 && creditLine(credit, currency, language)}
<li class="due"><span>${t('total')}${order.every && html`<small>${order.every}</small>`}</span><span>${formatMoney(total - Math.max(0, credit), currency)}</span></li>
${credit < 0 && html`<li class="tax"><span>${t('creditAdded')}</span><span>${formatMoney(-credit, currency)}</span></li>`}
${refunded > 0 && html`<li class="tax"><span>${t('refunded')}</span><span>${formatMoney(-refunded, currency)}</span></li>`}
</ul>`
}

/** Returns the button that prints the page, hidden until a script shows it. */
export function printButton({ t }: Language): Html {
  return html`<button type="button" class="quiet" data-print hidden>${t('print')}</button>`
}

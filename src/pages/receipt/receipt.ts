import type { Invoice } from '../../domain/billing/invoices.ts'
import type { Customer } from '../../domain/payments/customers.ts'
import type { CardDetails } from '../../domain/payments/payment-methods.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import { findPaymentMethodName, getInstrumentDetails } from '../../presentation/card-brands.ts'
import type { Language } from '../languages/language.ts'
import { type Html, html, isolateTextDirection } from '../markup/html.ts'
import { renderDetailList, renderTruncatedText } from '../view/layout.ts'
import {
  createReceiptRows,
  isDescriptionUseful,
  type OrderRow,
  renderOrderList,
} from '../view/order-lines.ts'
import type { PageView } from '../view/page-view.ts'
import type { DetailRow, ReceiptTexts } from '../view/receipt-texts.ts'
import type { ReceiptContent } from './receipt-content.ts'

/** The records that a receipt shows. Without a payment, nothing was charged for the order. */
export interface Receipt {
  readonly order: ReceiptContent
  readonly invoice: Invoice | null
  /** The successful payment; null when nothing was charged. */
  readonly payment: Payment | null
  /** The business name or host of the merchant; null when it is unknown. */
  readonly seller: string | null
  /** The customer; null after the customer was deleted. */
  readonly customer: Pick<Customer, 'name' | 'email'> | null
}

/** Returns the texts of a receipt. */
export function createReceiptTexts(receipt: Receipt, language: Language): ReceiptTexts {
  return {
    title: language.t('invoiceNumber', { number: receipt.invoice?.number ?? '' }),
    paid: describePaidAmount(receipt, language),
    details: describeDetails(receipt, language),
    rows: describeRows(receipt, language),
  }
}

/** Renders one of several receipts on a page. */
export function renderReceiptSection({ title, paid, details, rows }: ReceiptTexts): Html {
  return html`<h2>${title}</h2>\n${paid && renderPaidAmount(paid)}\n${renderDetailList(details)}\n${renderOrderList(rows)}\n`
}

/** Renders the paid amount, the date and the refund state of a receipt. */
export function renderPaidAmount({ amount, date, refundState }: NonNullable<ReceiptTexts['paid']>): Html {
  return html`<p class="price">${amount}</p>
<p class="paid">${date}${refundState && html` · <strong>${refundState}</strong>`}</p>`
}

function describePaidAmount(receipt: Receipt, language: Language): ReceiptTexts['paid'] {
  const { t, formatMoney, formatDate } = language
  const paid = getPaid(receipt)
  if (paid === null) return null
  const state = getRefundState(receipt.payment)
  return {
    amount: formatMoney(paid.amount, receipt.order.currency),
    date: t('paidOn', { date: formatDate(paid.at) }),
    refundState: state && t(state),
    at: paid.at,
  }
}

/** Returns the paid amount in minor units and the time of the payment in Unix seconds; null when nothing was paid. */
function getPaid({ invoice, payment }: Receipt): { amount: number; at: number } | null {
  if (payment !== null)
    return { amount: payment.amount_captured, at: payment.succeeded_at ?? payment.created }
  if (invoice?.status !== 'paid' || invoice.amount_paid === 0) return null
  return { amount: invoice.amount_paid, at: invoice.paid_at ?? invoice.created }
}

function getRefundState(payment: Payment | null): 'refunded' | 'partlyRefunded' | null {
  if (payment === null || payment.amount_refunded === 0) return null
  return payment.refunded ? 'refunded' : 'partlyRefunded'
}

function describeDetails(
  { order, invoice, payment, seller, customer }: Receipt,
  language: Language,
): DetailRow[] {
  const { t, formatDate } = language
  const { description, lines, period_start, period_end } = order
  const rows: (DetailRow | null | false)[] = [
    invoice && [t('invoice'), invoice.number],
    payment && [t('reference'), html`<small>${payment.id}</small>`],
    seller !== null && [t('seller'), isolateTextDirection(seller)],
    customer && [t('customer'), renderCustomerContact(customer, language)],
    payment && createPaymentMethodRow(payment.payment_method_details, language),
    period_start !== null &&
      period_end !== null && [
        t('servicePeriod'),
        t('period', { start: formatDate(period_start), end: formatDate(period_end) }),
      ],
    description !== null &&
      isDescriptionUseful(description, lines, language) && [t('purpose'), renderTruncatedText(description)],
  ]
  return rows.filter((row) => row !== null && row !== false)
}

/** Formats the name and email address of a customer. */
export function renderCustomerContact(
  { name, email }: Pick<Customer, 'name' | 'email'>,
  { tMarkup }: Language,
): Html {
  const address = isolateTextDirection(email)
  return name === null
    ? address
    : tMarkup('nameAndEmail', { name: isolateTextDirection(name), email: address })
}

/** Returns the row with the card or the bank account of a payment or a saved payment method. */
export function createPaymentMethodRow(
  details: Parameters<typeof getInstrumentDetails>[0],
  language: Language,
): [name: string, value: Html] {
  const name = language.t(details.card === null ? 'bankAccount' : 'card')
  return [name, renderShortCard(getInstrumentDetails(details), language)]
}

/** Returns a card such as `Visa •••• 4242`, which screen readers announce as `Visa ending in 4242`. */
export function renderShortCard(
  { brand, last4 }: Pick<CardDetails, 'brand' | 'last4'>,
  { t }: Language,
): Html {
  const name = findPaymentMethodName(brand) ?? t('card')
  return html`<bdi dir="ltr" role="img" aria-label="${t('cardEnding', { brand: name, last4 })}">${name} •••• ${last4}</bdi>`
}

function describeRows({ order, payment }: Receipt, language: Language): OrderRow[] {
  const { t, formatMoney } = language
  const { currency, credit, total } = order
  const refunded = payment?.amount_refunded ?? 0
  const due = formatMoney(total - Math.max(0, credit), currency)
  const rows: (OrderRow | false)[] = [
    ...createReceiptRows(order, credit, language),
    { kind: 'due', name: t('total'), notes: [order.every], amount: due },
    credit < 0 && { kind: 'tax', name: t('creditAdded'), amount: formatMoney(-credit, currency) },
    refunded > 0 && { kind: 'tax', name: t('refunded'), amount: formatMoney(-refunded, currency) },
  ]
  return rows.filter((row) => row !== false)
}

/** Returns the link to the PDF, and a print button that is hidden until a script shows it. */
export function renderReceiptActions({ language: { t }, receiptPdf }: PageView): Html {
  return html`<a class="button quiet" href="${receiptPdf}">${t('downloadPdf')}</a>
<button type="button" class="quiet" data-print hidden>${t('print')}</button>`
}

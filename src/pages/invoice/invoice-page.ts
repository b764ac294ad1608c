import type { Invoice } from '../../domain/billing/invoices.ts'
import { renderPriceHeading } from '../checkout/order-summary.ts'
import { type FormState, renderFormPage } from '../forms/card-form.ts'
import { getDeclineTitle } from '../forms/notices.ts'
import type { Language } from '../languages/language.ts'
import { type Html, html, isolateTextDirection } from '../markup/html.ts'
import { createReceiptRows, renderCollapsibleLines, renderOrderList } from '../view/order-lines.ts'
import type { PageView } from '../view/page-view.ts'

export interface PayableInvoice {
  readonly invoice: Invoice
  /** The time of the next charge of the saved card in Unix seconds; null when no charge is scheduled. */
  readonly nextChargeAt: number | null
  /** Whether the subscription will charge a card again, so that the form offers to use the entered card from now on. */
  readonly isCardReusable: boolean
}

/** Returns the page of a payable invoice: lines, due date, last failed charge and the card form. */
export function renderPayableInvoicePage(payable: PayableInvoice, state: FormState, view: PageView): Html {
  const { invoice } = payable
  const { language } = view
  const { t, formatMoney } = language
  const purpose = {
    action: view.links.invoice(invoice.id),
    title: t('cardDetails'),
    button: t('pay', { amount: formatMoney(invoice.amount_remaining, invoice.currency) }),
    consent: payable.isCardReusable ? null : t('cardOnlyForThis'),
    offersToKeep: payable.isCardReusable,
  }
  const title = t('invoiceNumber', { number: invoice.number ?? '' })
  return renderFormPage({ title, purpose, summary: summary(payable, state, language) }, state, view)
}

function summary(payable: PayableInvoice, { now, notice }: FormState, language: Language): Html {
  const { invoice } = payable
  // The notice about the entered card replaces the older error of the saved card.
  const hasNotice = notice !== null
  const nextCharge = describeNextCharge(payable.nextChargeAt, language)
  const { t, formatMoney, formatDate, tMarkup } = language
  const { currency } = invoice
  const period = t('period', { start: formatDate(invoice.period_start), end: formatDate(invoice.period_end) })
  const lines = html`${renderInvoiceLines(invoice, t('amountRemaining'), language)}<p class="schedule">${period}</p>`
  return html`<section class="summary" aria-labelledby="price">
<p class="eyebrow">${t('invoiceNumber', { number: invoice.number ?? '' })}</p>
${renderPriceHeading(formatMoney(invoice.amount_remaining, currency), null)}
<p class="merchant">${describeDueDate(invoice, now, language)}</p>
${hasNotice || failedChargeNotice(payable, language)}
${renderCollapsibleLines(invoice.lines.length, lines, language)}
${hasNotice && nextCharge !== null && html`<p class="schedule">${nextCharge}</p>`}
<p class="for">${tMarkup('billedTo', { buyer: isolateTextDirection(invoice.customer_email) })}</p>
</section>`
}

/** Returns the lines and sums of an invoice; the last row is the remaining amount, named `dueName`. */
export function renderInvoiceLines(invoice: Invoice, dueName: string, language: Language): Html {
  const { t, formatMoney } = language
  const { currency, total, amount_paid, amount_remaining } = invoice
  return renderOrderList([
    ...createReceiptRows(invoice, invoice.balance_applied, language),
    total < 0 && { kind: 'tax', name: t('creditAdded'), amount: formatMoney(-total, currency) },
    amount_paid > 0 && { kind: 'tax', name: t('amountPaid'), amount: formatMoney(amount_paid, currency) },
    { kind: 'due', name: dueName, amount: formatMoney(amount_remaining, currency) },
  ])
}

/** Returns the notice with the reason why the saved card was not charged; null if no automatic charge failed. */
function failedChargeNotice({ invoice, nextChargeAt }: PayableInvoice, language: Language): Html | null {
  const { collection_method, last_payment_error: error } = invoice
  if (collection_method === 'send_invoice' || error === null) return null
  const { t, translateError } = language
  const hasNoCard = error.code === 'payment_method_missing'
  const title = hasNoCard ? t('chargeFailed') : getDeclineTitle(error.code, language)
  const why = hasNoCard ? t('noCardToCharge') : translateError(error.message)
  const texts = [why, describeNextCharge(nextChargeAt, language), t('payHereNow')]
  return html`<div class="notice"><strong>${title}</strong> ${texts.filter((text) => text !== null).join(' ')}</div>`
}

function describeNextCharge(chargedAgain: number | null, { t, formatDate }: Language): string | null {
  return chargedAgain === null ? null : t('chargedAgain', { date: formatDate(chargedAgain) })
}

function describeDueDate(
  { due_date, finalized_at, created }: Invoice,
  now: number,
  { t, formatDate }: Language,
): string {
  if (due_date === null) return t('issuedOn', { date: formatDate(finalized_at ?? created) })
  return t(due_date < now ? 'overdueSince' : 'dueOn', { date: formatDate(due_date) })
}

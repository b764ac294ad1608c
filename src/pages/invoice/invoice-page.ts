import type { Invoice, InvoiceLine } from '../../domain/invoices.ts'
import { itemName, price, taxBreakdown } from '../checkout/order-summary.ts'
import { cardForm, type FormState } from '../forms/card-form.ts'
import { declineTitle } from '../forms/notices.ts'
import type { Language } from '../languages/language.ts'
import { type Html, html } from '../markup/html.ts'
import { mark } from '../markup/status-icons.ts'
import { askedBy, facts, isolated, layout, shortened } from '../view/layout.ts'
import type { View } from '../view/view.ts'

/** An invoice that can be paid. */
export interface Payable {
  readonly invoice: Invoice
  /** When the saved card is charged for it again, in Unix seconds; null when it is not. */
  readonly chargedAgain: number | null
  /** Who asks to be paid, where the head of the page does not say it. */
  readonly asker: string | null
}

/** The page of an invoice that can be paid: what is billed, until when, what failed, and the form that pays it. */
export function payableInvoicePage(payable: Payable, state: FormState, view: View): string {
  const { invoice } = payable
  const { language } = view
  const { say, money } = language
  const pay = say('pay', { amount: money(invoice.amount_remaining, invoice.currency) })
  const action = view.links.invoice(invoice.id)
  const purpose = { action, title: say('cardDetails'), button: pay, consent: say('cardOnlyForThis') }
  const main = html`${summary(payable, state, language)}
${cardForm(purpose, state, language)}`
  const name = say('invoiceNumber', { number: invoice.number ?? '' })
  const title = state.notice === null ? name : say('errorTitle', { title: state.notice.title })
  return layout({ title, main, shape: 'split', hasForm: true }, view)
}

/** The page of an invoice that nobody owes any more: paid, or taken back. */
export function settledInvoicePage(invoice: Invoice, view: View): string {
  const { say, money, day } = view.language
  const isPaid = invoice.status === 'paid'
  const title = say(isPaid ? 'invoicePaid' : 'invoiceVoid')
  const details = [
    [say('invoice'), invoice.number ?? ''] as const,
    [
      say(isPaid ? 'paid' : 'total'),
      money(isPaid ? invoice.amount_paid : invoice.total, invoice.currency),
    ] as const,
    [say('date'), day((isPaid ? invoice.paid_at : invoice.voided_at) ?? invoice.created)] as const,
    [say('purpose'), shortened(invoice.description)] as const,
  ]
  const main = html`<section class="panel outcome" aria-labelledby="title">
${mark(isPaid ? 'good' : 'ended')}
<h1 id="title">${title}</h1>
<p>${say(isPaid ? 'invoiceSettled' : 'invoiceVoidText')}</p>
${facts(details)}
</section>`
  return layout({ title, main, shape: 'narrow' }, view)
}

function summary(payable: Payable, { now, notice }: FormState, language: Language): Html {
  const { invoice } = payable
  // What the form says of the card just entered is newer than what became of the saved one.
  const isTold = notice !== null
  const next = again(payable.chargedAgain, language)
  const { say, money, day, phrase } = language
  const { currency } = invoice
  const period = say('period', { start: day(invoice.period_start), end: day(invoice.period_end) })
  const paid =
    invoice.amount_paid > 0 &&
    html`<li class="tax"><span>${say('amountPaid')}</span><span>${money(invoice.amount_paid, currency)}</span></li>`
  return html`<section class="summary" aria-labelledby="price">
<p class="eyebrow">${say('invoiceNumber', { number: invoice.number ?? '' })}</p>
${price(money(invoice.amount_remaining, currency), null)}
${askedBy(payable.asker, language)}
<p class="asker">${due(invoice, now, language)}</p>
${isTold || failedCharge(payable, language)}
<ul class="lines">
${invoice.lines.map((line) => lineOf(line, invoice, language))}
${invoice.tax > 0 && taxBreakdown(invoice, language)}
${paid}
<li class="due"><span>${say('amountRemaining')}</span><span>${money(invoice.amount_remaining, currency)}</span></li>
</ul>
<p class="schedule">${period}</p>
${isTold && next !== null && html`<p class="schedule">${next}</p>`}
<p class="for">${phrase('billedTo', { buyer: isolated(invoice.customer_email) })}</p>
</section>`
}

/** That the saved card was not charged, and why; nothing for whoever is sent invoices, and tries each card in person. */
function failedCharge({ invoice, chargedAgain }: Payable, language: Language): Html | null {
  const { collection_method, last_payment_error: error } = invoice
  if (collection_method === 'send_invoice' || error === null) return null
  const { say, translate } = language
  const isCardless = error.code === 'payment_method_missing'
  const title = isCardless ? say('chargeFailed') : declineTitle(error.code, language)
  const why = isCardless ? say('noCardToCharge') : translate(error.message)
  const texts = [why, again(chargedAgain, language), say('payHereNow')]
  return html`<div class="notice"><strong>${title}</strong> ${texts.filter((text) => text !== null).join(' ')}</div>`
}

function again(chargedAgain: number | null, { say, day }: Language): string | null {
  return chargedAgain === null ? null : say('chargedAgain', { date: day(chargedAgain) })
}

function due({ due_date, finalized_at, created }: Invoice, now: number, { say, day }: Language): string {
  if (due_date === null) return say('issuedOn', { date: day(finalized_at ?? created) })
  return say(due_date < now ? 'overdueSince' : 'dueOn', { date: day(due_date) })
}

function lineOf(line: InvoiceLine, { currency }: Invoice, language: Language): Html {
  const rate = line.tax_percent
  const tax = rate > 0 && html`<small>${language.say('tax', { percent: language.percent(rate) })}</small>`
  return html`<li><span>${isolated(itemName(line, language))}${tax}</span><span>${language.money(line.amount, currency)}</span></li>
`
}

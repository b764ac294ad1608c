import type { Invoice } from '../domain/invoices.ts'
import type { Payment } from '../domain/payments.ts'
import { formatMoney } from './amounts.ts'
import { closed } from './closed-pages.ts'
import { formatDay } from './days.ts'
import { type HtmlValue, html } from './html.ts'
import { facts, layout, shortened } from './layout.ts'
import type { Links } from './links.ts'
import { type Mark, mark } from './marks.ts'

type Fact = readonly [name: string, value: HtmlValue]

const ASK_AGAIN = 'To pay, ask whoever sent you this link for a new one.'

/** Which invoice a page is about. */
export function invoiceFacts({ number, description }: Invoice): Fact[] {
  return [
    ['Invoice', number],
    ['For', shortened(description)],
  ]
}

/** A payment that settled its invoice. */
export function paidInvoicePage(invoice: Invoice, payment: Payment, links: Links): string {
  const details: Fact[] = [
    ['Paid', formatMoney(payment.amount, payment.currency)],
    ['Date', formatDay(payment.succeeded_at ?? payment.created)],
    ...invoiceFacts(invoice),
    ['Reference', html`<small>${payment.id}</small>`],
  ]
  const texts = ['Thank you. Your payment went through. You can close this page.']
  return outcome({ sign: 'good', title: 'Invoice paid', texts, details }, links)
}

/** A payment that was rejected or declined: why, what is still owed and what to do. */
export function unpaidInvoicePage(invoice: Invoice, payment: Payment, links: Links): string {
  const { last4 } = payment.payment_method_details.card
  const isUnconfirmed = payment.failure_code === 'authentication_failed'
  const title = isUnconfirmed ? 'Payment not confirmed' : 'Card declined'
  const why = `${payment.failure_message ?? ''} The card ending in ${last4} was not charged.`
  const details: Fact[] = [
    ['Still to pay', formatMoney(stillOwed(invoice), invoice.currency)],
    ...invoiceFacts(invoice),
  ]
  return outcome({ sign: 'ended', title, texts: [why, sinceThen(invoice)], details }, links)
}

function stillOwed({ status, amount_remaining }: Invoice): number {
  return status === 'void' ? 0 : amount_remaining
}

/** A payment that was ended from elsewhere before its buyer answered. */
export function canceledAttemptPage(invoice: Invoice, links: Links): string {
  const text = `This payment was canceled before it was confirmed, so nothing was charged by it. ${sinceThen(invoice)}`
  return closed({ sign: 'ended', title: 'Nothing left to confirm', text }, links)
}

/** A payment that was confirmed or rejected before. */
export function nothingToConfirmPage({ id }: Payment, links: Links): string {
  const way = html`<a class="button" href="${links.confirmed(id)}">See how it ended</a>`
  const text = 'This confirmation was answered already.'
  return closed({ sign: 'ended', title: 'Nothing left to confirm', text, way }, links)
}

function sinceThen({ status, number }: Invoice): string {
  if (status === 'paid') return `Invoice ${number} has been paid since, so nothing is left to pay.`
  if (status === 'void') return `Invoice ${number} has been canceled since, so nothing is left to pay.`
  return ASK_AGAIN
}

interface Outcome {
  readonly sign: Mark
  readonly title: string
  readonly texts: readonly string[]
  readonly details: readonly Fact[]
}

function outcome({ sign, title, texts, details }: Outcome, links: Links): string {
  const main = html`<section class="panel outcome" aria-labelledby="title">
${mark(sign)}
<h1 id="title">${title}</h1>
${texts.map((text) => html`<p>${text}</p>`)}
${facts(details)}
</section>`
  return layout({ title, main, shape: 'narrow' }, links)
}

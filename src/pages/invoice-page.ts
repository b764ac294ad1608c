import type { Invoice, InvoiceLine } from '../domain/invoices.ts'
import { cardForm, type FormState } from './card-form.ts'
import { type Html, html } from './html.ts'
import type { Language } from './language.ts'
import { facts, isolated, layout, shortened } from './layout.ts'
import { mark } from './marks.ts'
import { itemName, price, taxBreakdown } from './order-summary.ts'
import type { View } from './view.ts'

/** The page of an invoice that can be paid: what is billed, until when, and the form that pays it. */
export function payableInvoicePage(invoice: Invoice, state: FormState, view: View): string {
  const { language } = view
  const { say, money } = language
  const pay = say('pay', { amount: money(invoice.amount_remaining, invoice.currency) })
  const action = view.links.invoice(invoice.id)
  const purpose = { action, title: say('cardDetails'), button: pay, consent: say('cardOnlyForThis') }
  const main = html`${summary(invoice, state.now, language)}
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

function summary(invoice: Invoice, now: number, language: Language): Html {
  const { say, money, day, phrase } = language
  const { currency } = invoice
  const period = say('period', { start: day(invoice.period_start), end: day(invoice.period_end) })
  const paid =
    invoice.amount_paid > 0 &&
    html`<li class="tax"><span>${say('amountPaid')}</span><span>${money(invoice.amount_paid, currency)}</span></li>`
  return html`<section class="summary" aria-labelledby="price">
<p class="eyebrow">${say('invoiceNumber', { number: invoice.number ?? '' })}</p>
${price(money(invoice.amount_remaining, currency), null)}
<p class="asker">${due(invoice, now, language)}</p>
<ul class="lines">
${invoice.lines.map((line) => lineOf(line, invoice, language))}
${invoice.tax > 0 && taxBreakdown(invoice, language)}
${paid}
<li class="due"><span>${say('amountRemaining')}</span><span>${money(invoice.amount_remaining, currency)}</span></li>
</ul>
<p class="schedule">${period}</p>
${invoice.next_payment_attempt !== null && html`<p class="schedule">${say('chargedBySchedule')}</p>`}
<p class="for">${phrase('billedTo', { buyer: isolated(invoice.customer_email) })}</p>
</section>`
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

import type { Invoice } from '../../domain/invoices.ts'
import type { Payment } from '../../domain/payments.ts'
import { declineTitle } from '../forms/notices.ts'
import type { Language } from '../languages/language.ts'
import { type HtmlValue, html } from '../markup/html.ts'
import { type Mark, mark } from '../markup/status-icons.ts'
import { closed } from '../status/closed-pages.ts'
import { facts, layout, shortened } from '../view/layout.ts'
import type { View } from '../view/view.ts'

type Fact = readonly [name: string, value: HtmlValue]

/** Which invoice a page is about. */
export function invoiceFacts({ number, description }: Invoice, { say }: Language): Fact[] {
  return [
    [say('invoice'), number],
    [say('purpose'), shortened(description)],
  ]
}

/** An invoice that is still owed, but cannot be paid: its customer was deleted. */
export function closedInvoicePage(invoice: Invoice, view: View): string {
  const { say } = view.language
  const details = invoiceFacts(invoice, view.language)
  return outcome(
    { sign: 'ended', title: say('invoiceClosed'), texts: [say('invoiceClosedText')], details },
    view,
  )
}

/** A payment that settled its invoice. */
export function paidInvoicePage(invoice: Invoice, payment: Payment, view: View): string {
  const { say, money, day } = view.language
  const details: Fact[] = [
    [say('paid'), money(payment.amount, payment.currency)],
    [say('date'), day(payment.succeeded_at ?? payment.created)],
    ...invoiceFacts(invoice, view.language),
    [say('reference'), html`<small>${payment.id}</small>`],
  ]
  return outcome({ sign: 'good', title: say('invoicePaid'), texts: [say('invoicePaidText')], details }, view)
}

/** A payment that was rejected or declined: why, what is still owed and what to do. */
export function unpaidInvoicePage(invoice: Invoice, payment: Payment, view: View): string {
  const { say, money, translate } = view.language
  const { last4 } = payment.payment_method_details.card
  const title = declineTitle(payment.failure_code, view.language)
  const why = `${translate(payment.failure_message ?? '')} ${say('cardNotCharged', { last4 })}`
  const details: Fact[] = [
    [say('amountRemaining'), money(stillOwed(invoice), invoice.currency)],
    ...invoiceFacts(invoice, view.language),
  ]
  const texts = [why, sinceThen(invoice, view.language)]
  return outcome({ sign: 'ended', title, texts, details, way: wayToInvoice(invoice, view) }, view)
}

function stillOwed({ status, amount_remaining }: Invoice): number {
  return status === 'void' ? 0 : amount_remaining
}

/** A payment that was ended from elsewhere before its buyer answered. */
export function canceledAttemptPage(invoice: Invoice, view: View): string {
  const { say } = view.language
  const text = `${say('attemptCanceled')} ${sinceThen(invoice, view.language)}`
  return closed(
    { sign: 'ended', title: say('nothingToConfirm'), text, way: wayToInvoice(invoice, view) },
    view,
  )
}

/** A payment that was confirmed or rejected before. */
export function nothingToConfirmPage({ id }: Payment, view: View): string {
  const { say } = view.language
  const way = html`<a class="button" href="${view.links.confirmed(id)}">${say('seeHowItEnded')}</a>`
  return closed({ sign: 'ended', title: say('nothingToConfirm'), text: say('answered'), way }, view)
}

function sinceThen({ status, number }: Invoice, { say }: Language): string {
  if (status === 'paid') return say('invoicePaidSince', { number: number ?? '' })
  if (status === 'void') return say('invoiceVoidSince', { number: number ?? '' })
  return say('payInvoiceAgain')
}

function wayToInvoice(invoice: Invoice, { language, links }: View): HtmlValue {
  return html`<a class="button" href="${links.invoice(invoice.id)}">${language.say('toInvoice')}</a>`
}

interface Outcome {
  readonly sign: Mark
  readonly title: string
  readonly texts: readonly string[]
  readonly details: readonly Fact[]
  readonly way?: HtmlValue
}

function outcome({ sign, title, texts, details, way }: Outcome, view: View): string {
  const main = html`<section class="panel outcome" aria-labelledby="title">
${mark(sign)}
<h1 id="title">${title}</h1>
${texts.map((text) => html`<p>${text}</p>`)}
${facts(details)}
${way}
</section>`
  return layout({ title, main, shape: 'narrow' }, view)
}

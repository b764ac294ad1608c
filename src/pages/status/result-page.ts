import { isCardAsked } from '../../domain/card-submission.ts'
import { type CheckoutSession, startsLater } from '../../domain/checkout-sessions.ts'
import type { PaymentSession } from '../../domain/payment-sessions.ts'
import type { Language } from '../languages/language.ts'
import type { TextKey } from '../languages/messages.ts'
import { type Html, type HtmlValue, html } from '../markup/html.ts'
import { mark } from '../markup/status-icons.ts'
import { facts, isolated, layout, shortened } from '../view/layout.ts'
import type { AnySession } from '../view/links.ts'
import { type ReturnTarget, returnTarget } from '../view/return-url.ts'
import { everyPeriod, nextPeriodStart } from '../view/terms.ts'
import type { View } from '../view/view.ts'

interface Words {
  readonly title: string
  readonly text: string
  readonly details: readonly (readonly [name: string, value: HtmlValue] | null)[]
}

/** What a buyer sees right after completing a session: thanks, and the way back, which the browser takes by itself. */
export function donePage(session: AnySession, view: View): string {
  const { language } = view
  const target = returnTarget(session)
  const words = doneWords(session, language)
  const way = target && html`<p>${language.phrase('takingBack', { host: isolated(target.host) })}</p>`
  const main = outcome({ ...words, way: [way, continueLink(target, language)] })
  const leadsTo = target && { leadsTo: { url: target.url, afterSeconds: 0 } }
  return layout({ title: words.title, main, shape: 'narrow', ...leadsTo }, view)
}

/** What a buyer sees who opens the URL of a session that is complete. */
export function alreadyDonePage(session: AnySession, view: View): string {
  const { language } = view
  const { details } = doneWords(session, language)
  const title = language.say(session.payment_status === 'paid' ? 'alreadyPaid' : 'alreadySubscribed')
  const way = continueLink(returnTarget(session), language)
  const main = outcome({ title, text: language.say('alreadyDone'), details, way })
  return layout({ title, main, shape: 'narrow' }, view)
}

function outcome({ title, text, details, way }: Words & { readonly way: HtmlValue }): Html {
  return html`<section class="panel outcome" aria-labelledby="title">
${mark('good')}
<h1 id="title">${title}</h1>
<p>${text}</p>
${facts(details)}
${way}
</section>`
}

function continueLink(target: ReturnTarget | null, { phrase }: Language): Html | null {
  return (
    target &&
    html`<a class="button" href="${target.url}" rel="noreferrer">${phrase('continueTo', { host: isolated(target.host) })}</a>`
  )
}

function doneWords(session: AnySession, language: Language): Words {
  return session.object === 'payment_session'
    ? paidWords(session, language)
    : subscribedWords(session, language)
}

function paidWords(session: PaymentSession, { say, money, day }: Language): Words {
  const { amount, currency, description, payment } = session
  return {
    title: say('paymentReceived'),
    text: say('paymentWentThrough'),
    details: [
      [say('paid'), money(amount, currency)],
      [say('date'), day(completionOf(session))],
      description === null ? null : [say('purpose'), shortened(description)],
      [say('reference'), html`<small>${payment}</small>`],
    ],
  }
}

function subscribedWords(session: CheckoutSession, language: Language): Words {
  const { amount_total, currency, payment_status, description, subscription } = session
  const { say, money, day } = language
  const completed = completionOf(session)
  const total = money(amount_total, currency)
  return {
    title: say('subscribed'),
    text: say(subscribedText(session, completed)),
    details: [
      [say('paid'), money(payment_status === 'paid' ? amount_total : 0, currency)],
      [say(nextLabel(session, completed)), day(nextPeriodStart(session, completed))],
      [say('amount'), say('amountEvery', { total, every: everyPeriod(session, language) })],
      [say('purpose'), shortened(description)],
      [say('reference'), html`<small>${subscription}</small>`],
    ],
  }
}

function nextLabel(session: CheckoutSession, completed: number): TextKey {
  const isFirst = startsLater(session, completed)
  if (isCardAsked(session)) return isFirst ? 'firstPayment' : 'nextPayment'
  return isFirst ? 'firstInvoice' : 'nextInvoice'
}

function subscribedText(session: CheckoutSession, completed: number): TextKey {
  if (session.payment_status === 'paid') return 'firstPaymentWentThrough'
  if (session.payment_status === 'unpaid') return 'firstInvoiceSent'
  if (!isCardAsked(session)) return 'invoicesCome'
  return startsLater(session, completed) ? 'cardSavedForStart' : 'cardSaved'
}

function completionOf({ completed_at, created }: AnySession): number {
  return completed_at ?? created
}

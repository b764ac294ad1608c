import { isCardAsked } from '../domain/card-submission.ts'
import { type CheckoutSession, startsLater } from '../domain/checkout-sessions.ts'
import type { PaymentSession } from '../domain/payment-sessions.ts'
import { formatMoney } from './amounts.ts'
import { formatDay } from './days.ts'
import { type Html, type HtmlValue, html } from './html.ts'
import { facts, isolated, layout, shortened } from './layout.ts'
import type { AnySession, Links } from './links.ts'
import { mark } from './marks.ts'
import { type ReturnTarget, returnTarget } from './return-url.ts'
import { everyPeriod, nextPeriodStart } from './terms.ts'

interface Words {
  readonly title: string
  readonly text: string
  readonly details: readonly (readonly [name: string, value: HtmlValue] | null)[]
}

/** What a buyer sees right after completing a session: thanks, and the way back, which the browser takes by itself. */
export function donePage(session: AnySession, links: Links): string {
  const target = returnTarget(session)
  const { title, text, details } = doneWords(session)
  const way = target && html`<p>Taking you back to ${isolated(target.host)} …</p>`
  const main = outcome({ title, text, details, way: [way, continueLink(target)] })
  const leadsTo = target && { leadsTo: { url: target.url, afterSeconds: 0 } }
  return layout({ title, main, shape: 'narrow', ...leadsTo }, links)
}

/** What a buyer sees who opens the URL of a session that is complete. */
export function alreadyDonePage(session: AnySession, links: Links): string {
  const { details } = doneWords(session)
  const title = session.payment_status === 'paid' ? 'Already paid' : 'Already subscribed'
  const way = continueLink(returnTarget(session))
  const text = 'This was completed before, and nothing more is charged here. You can close this page.'
  return layout({ title, main: outcome({ title, text, details, way }), shape: 'narrow' }, links)
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

function continueLink(target: ReturnTarget | null): Html | null {
  return (
    target &&
    html`<a class="button" href="${target.url}" rel="noreferrer">Continue to ${isolated(target.host)}</a>`
  )
}

function doneWords(session: AnySession): Words {
  return session.object === 'payment_session' ? paidWords(session) : subscribedWords(session)
}

function paidWords(session: PaymentSession): Words {
  const { amount, currency, description, payment } = session
  return {
    title: 'Payment received',
    text: 'Thank you. Your payment went through.',
    details: [
      ['Paid', formatMoney(amount, currency)],
      ['Date', formatDay(completionOf(session))],
      description === null ? null : ['For', shortened(description)],
      ['Reference', html`<small>${payment}</small>`],
    ],
  }
}

function subscribedWords(session: CheckoutSession): Words {
  const { amount_total, currency, payment_status, description, subscription } = session
  const completed = completionOf(session)
  const total = formatMoney(amount_total, currency)
  const paid = formatMoney(payment_status === 'paid' ? amount_total : 0, currency)
  const next = `${startsLater(session, completed) ? 'First' : 'Next'} ${isCardAsked(session) ? 'payment' : 'invoice'}`
  return {
    title: 'You are subscribed',
    text: subscribedText(session, completed),
    details: [
      ['Paid', paid],
      [next, formatDay(nextPeriodStart(session, completed))],
      ['Amount', `${total} ${everyPeriod(session)}`],
      ['For', shortened(description)],
      ['Reference', html`<small>${subscription}</small>`],
    ],
  }
}

function subscribedText(session: CheckoutSession, completed: number): string {
  if (session.payment_status === 'paid') return 'Thank you. Your first payment went through.'
  if (session.payment_status === 'unpaid') return 'Thank you. Your first invoice is on its way by email.'
  if (!isCardAsked(session)) {
    return 'Thank you. Nothing is due today; invoices come by email.'
  }
  const later = startsLater(session, completed)
    ? ' The first payment is taken when the subscription starts.'
    : ''
  return `Thank you. Your card is saved, and nothing was charged today.${later}`
}

function completionOf({ completed_at, created }: AnySession): number {
  return completed_at ?? created
}

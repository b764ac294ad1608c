import { type PageAnswer, page } from '../forms/http.ts'
import type { TextKey } from '../languages/messages.ts'
import { type HtmlValue, html } from '../markup/html.ts'
import { type Mark, mark } from '../markup/status-icons.ts'
import { isolated, type Lead, layout } from '../view/layout.ts'
import type { AnySession } from '../view/links.ts'
import { returnTarget } from '../view/return-url.ts'
import type { View } from '../view/view.ts'

/** A page with nothing to fill in: a sign, a heading, what to know and where to go. */
export interface Closed {
  readonly sign: Mark
  readonly title: string
  readonly text: string
  readonly way?: HtmlValue
  readonly leadsTo?: Lead
}

const SECONDS_PER_MINUTE = 60

/** A session that time or its merchant ended before anybody completed it. */
export function expiredPage(session: AnySession, view: View): string {
  const { say } = view.language
  const isTimedOut = session.expiration_reason === 'time'
  const content: Closed = {
    sign: isTimedOut ? 'waiting' : 'ended',
    title: say(isTimedOut ? 'expired' : 'canceled'),
    text: say('askForNewLink'),
    way: wayBack(session, view),
  }
  return closed(content, view)
}

/** A URL that leads to nothing; it never tells whether it once did. */
export function notFoundPage(view: View): string {
  return closed({ sign: 'ended', ...words('notFound', 'notFoundAdvice', view) }, view)
}

/** Too many cards were declined: says how long to wait, or how far the test clock is to be moved. */
export function tooManyDeclines(
  { test_clock }: { readonly test_clock: string | null },
  { form, seconds }: { readonly form: string; readonly seconds: number },
  view: View,
): PageAnswer {
  const { say, count, messages } = view.language
  const minutes = count(messages.minutes, Math.max(1, Math.ceil(seconds / SECONDS_PER_MINUTE)))
  const text = say(test_clock === null ? 'tooManyDeclinesWait' : 'tooManyDeclinesClock', { minutes })
  const way = html`<a class="button" href="${form}">${say('backToForm')}</a>`
  const body = closed({ sign: 'waiting', title: say('tooManyDeclines'), text, way }, view)
  // Waiting does not move a test clock, so only the other is told to browsers too.
  return page(429, body, test_clock === null ? { 'Retry-After': String(seconds) } : {})
}

/** A 3-D Secure page that nobody waits for any more: its session ended, or it was answered, or another card overtook it. */
export function notWaitingPage(session: AnySession, view: View): string {
  const label = view.language.say(session.status === 'open' ? 'backToForm' : 'seeHowItEnded')
  const way = html`<a class="button" href="${view.links.session(session)}">${label}</a>`
  return closed({ sign: 'ended', ...words('nothingToConfirm', whyNotWaiting(session), view), way }, view)
}

function whyNotWaiting({ status, expiration_reason }: AnySession): TextKey {
  if (status !== 'expired') return 'answeredOrOvertaken'
  return expiration_reason === 'time' ? 'expiredUnconfirmed' : 'canceledUnconfirmed'
}

/** A method that a page does not answer to. */
export function wrongMethodPage(view: View): string {
  return closed({ sign: 'ended', ...words('notPossible', 'notPossibleAdvice', view) }, view)
}

const FAILURES: Readonly<Record<number, readonly [title: TextKey, text: TextKey]>> = {
  403: ['wrongAddress', 'wrongAddressAdvice'],
  413: ['tooMuch', 'fillInAgain'],
  429: ['tooManyRequests', 'tooManyRequestsAdvice'],
}

/** What a buyer sees when a request fails before or while a page is made, by HTTP status. */
export function failurePage(status: number, view: View): string {
  const otherwise =
    status < 500 ? (['unreadable', 'fillInAgain'] as const) : (['broken', 'brokenAdvice'] as const)
  const [title, text] = FAILURES[status] ?? otherwise
  return closed({ sign: 'ended', ...words(title, text, view) }, view)
}

function words(title: TextKey, text: TextKey, { language }: View): Pick<Closed, 'title' | 'text'> {
  return { title: language.say(title), text: language.say(text) }
}

function wayBack(session: AnySession, { language }: View): HtmlValue {
  const target = returnTarget(session)
  return (
    target &&
    html`<p class="aside"><a href="${target.url}" rel="noreferrer">${language.phrase('goTo', { host: isolated(target.host) })}</a></p>`
  )
}

/** The whole page of something closed. */
export function closed({ sign, title, text, way, leadsTo }: Closed, view: View): string {
  const main = html`<section class="panel outcome" aria-labelledby="title">
${mark(sign)}
<h1 id="title">${title}</h1>
<p>${text}</p>
${way}
</section>`
  return layout({ title, main, shape: 'narrow', ...(leadsTo && { leadsTo }) }, view)
}

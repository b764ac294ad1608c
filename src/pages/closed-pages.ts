import { formatMinutes } from './days.ts'
import { type HtmlValue, html } from './html.ts'
import { isolated, type Lead, layout } from './layout.ts'
import type { AnySession, Links } from './links.ts'
import { type Mark, mark } from './marks.ts'
import { returnTarget } from './return-url.ts'

/** A page with nothing to fill in: a sign, a heading, what to know and where to go. */
export interface Closed {
  readonly sign: Mark
  readonly title: string
  readonly text: string
  readonly way?: HtmlValue
  readonly leadsTo?: Lead
}

/** A session that time or its merchant ended before anybody completed it. */
export function expiredPage(session: AnySession, links: Links): string {
  const isTimedOut = session.expiration_reason === 'time'
  const way = wayBack(session)
  const ask = 'Ask whoever sent you this link for a new one.'
  return isTimedOut
    ? closed(
        { sign: 'waiting', title: 'This link has expired', text: `Nothing was charged. ${ask}`, way },
        links,
      )
    : closed(
        { sign: 'ended', title: 'This request was canceled', text: `Nothing was charged. ${ask}`, way },
        links,
      )
}

/** A URL that leads to nothing; it never tells whether it once did. */
export function notFoundPage(links: Links): string {
  const text = 'Check that the link is complete, or ask whoever sent it to you for a new one.'
  return closed({ sign: 'ended', title: 'Page not found', text }, links)
}

/** A session whose cards were declined too often. */
export function tooManyDeclinesPage(session: AnySession, retryAfterSeconds: number, links: Links): string {
  const wait = formatMinutes(retryAfterSeconds)
  const when = session.test_clock === null ? `Come back in ${wait}` : `Advance its test clock by ${wait}`
  const text = `Too many cards were declined here, so no more are tried for now. Nothing was charged. ${when}, or ask your bank what is wrong.`
  const way = html`<a class="button" href="${links.session(session)}">Back to the form</a>`
  return closed({ sign: 'waiting', title: 'Too many declined attempts', text, way }, links)
}

/** A 3-D Secure page that nobody waits for any more: answered, overtaken by another card, or its session ended. */
export function notWaitingPage(session: AnySession, links: Links): string {
  const label = session.status === 'open' ? 'Back to the form' : 'See how it ended'
  const way = html`<a class="button" href="${links.session(session)}">${label}</a>`
  const text = 'This confirmation was answered already, or another card was used after it.'
  return closed({ sign: 'ended', title: 'Nothing left to confirm', text, way }, links)
}

/** A method that a page does not answer to. */
export function wrongMethodPage(links: Links): string {
  const text = 'This page cannot be used that way. Open the link you were sent in a browser.'
  return closed({ sign: 'ended', title: 'Not possible here', text }, links)
}

const FAILURES: Readonly<Record<number, Omit<Closed, 'sign'>>> = {
  403: {
    title: 'Wrong address',
    text: 'This service does not answer under this address. Open the link exactly as it was sent to you.',
  },
  429: { title: 'Too many requests', text: 'Wait a few seconds, then open your link again.' },
  413: { title: 'Too much was sent', text: 'Go back, reload the page and fill in the form again.' },
}

const UNREADABLE: Omit<Closed, 'sign'> = {
  title: 'This could not be read',
  text: 'Go back, reload the page and fill in the form again.',
}

const BROKEN: Omit<Closed, 'sign'> = {
  title: 'Something went wrong',
  text: 'The mistake is ours. Open your link again: if your payment went through, it says so; if not, try once more.',
}

/** What a buyer sees when a request fails before or while a page is made, by HTTP status. */
export function failurePage(status: number, links: Links): string {
  const words = FAILURES[status] ?? (status < 500 ? UNREADABLE : BROKEN)
  return closed({ sign: 'ended', ...words }, links)
}

function wayBack(session: AnySession): HtmlValue {
  const target = returnTarget(session)
  return (
    target &&
    html`<p class="aside"><a href="${target.url}" rel="noreferrer">Go to ${isolated(target.host)}</a></p>`
  )
}

/** The whole page of something closed. */
export function closed({ sign, title, text, way, leadsTo }: Closed, links: Links): string {
  const main = html`<section class="panel outcome" aria-labelledby="title">
${mark(sign)}
<h1 id="title">${title}</h1>
<p>${text}</p>
${way}
</section>`
  return layout({ title, main, shape: 'narrow', ...(leadsTo && { leadsTo }) }, links)
}

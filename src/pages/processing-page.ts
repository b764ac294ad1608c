import { formatMoney } from './amounts.ts'
import { html } from './html.ts'
import { facts, layout, shortened } from './layout.ts'
import type { AnySession, Links } from './links.ts'
import { mark } from './marks.ts'

const LOOKS_AGAIN_AFTER_SECONDS = 2

/** What a buyer sees while the issuer still thinks about the charge; it leads on by itself, without a script. */
export function processingPage(session: AnySession, links: Links): string {
  const amount = session.object === 'checkout_session' ? session.amount_total : session.amount
  const { currency, description } = session
  const done = links.done(session)
  const title = 'Your payment is being processed'
  const main = html`<section class="panel outcome" aria-labelledby="title">
${mark('waiting')}
<h1 id="title">${title}</h1>
<p>Your bank takes a moment to answer. Stay on this page: it goes on by itself. There is no need to pay again.</p>
${facts([
  ['Amount', formatMoney(amount, currency)],
  description === null ? null : ['For', shortened(description)],
])}
<p class="aside"><a href="${done}">Check now</a></p>
</section>`
  const leadsTo = { url: done, afterSeconds: LOOKS_AGAIN_AFTER_SECONDS }
  return layout({ title, main, shape: 'narrow', leadsTo }, links)
}

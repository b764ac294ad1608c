import { html } from '../markup/html.ts'
import { mark } from '../markup/status-icons.ts'
import { facts, layout, shortened } from '../view/layout.ts'
import type { AnySession } from '../view/links.ts'
import type { View } from '../view/view.ts'

const LOOKS_AGAIN_AFTER_SECONDS = 2

/** What a buyer sees while the issuer still thinks about the charge; it leads on by itself, without a script. */
export function processingPage(session: AnySession, view: View): string {
  const { say, money } = view.language
  const amount = session.object === 'checkout_session' ? session.amount_total : session.amount
  const { currency, description } = session
  const done = view.links.done(session)
  const title = say('beingProcessed')
  const main = html`<section class="panel outcome" aria-labelledby="title">
${mark('waiting')}
<h1 id="title">${title}</h1>
<p>${say('bankTakesTime')}</p>
${facts([
  [say('amount'), money(amount, currency)],
  description === null ? null : [say('purpose'), shortened(description)],
])}
<p class="aside"><a href="${done}">${say('checkNow')}</a></p>
</section>`
  const leadsTo = { url: done, afterSeconds: LOOKS_AGAIN_AFTER_SECONDS }
  return layout({ title, main, shape: 'narrow', leadsTo }, view)
}

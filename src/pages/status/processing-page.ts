import { html } from '../markup/html.ts'
import { truncateText } from '../view/layout.ts'
import type { AnySession } from '../view/links.ts'
import type { PageView } from '../view/page-view.ts'
import { statusPage } from './status-pages.ts'

const REFRESH_SECONDS = 2

/** Returns the page shown while a charge is processing. It refreshes itself, also without a script. */
export function processingPage(session: AnySession, view: PageView): string {
  const { t, formatMoney } = view.language
  const amount = session.object === 'checkout_session' ? session.amount_total : session.amount
  const { currency, description } = session
  const done = view.links.done(session)
  return statusPage(
    {
      icon: 'waiting',
      title: t('beingProcessed'),
      text: t('bankTakesTime'),
      details: [
        [t('amount'), formatMoney(amount, currency)],
        description === null ? null : [t('purpose'), truncateText(description)],
      ],
      link: html`<p class="aside"><a href="${done}">${t('checkNow')}</a></p>`,
      refresh: { url: done, afterSeconds: REFRESH_SECONDS },
    },
    view,
  )
}

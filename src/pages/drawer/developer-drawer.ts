import { truncateMasked } from '../../domain/card-number-masking.ts'
import { sanitizeText } from '../../domain/sanitize.ts'
import { findCardByAlias } from '../../domain/test-cards.ts'
import type { WebhookDelivery } from '../../domain/webhook-deliveries.ts'
import type { EventWithDeliveries } from '../../domain/webhook-resends.ts'
import { CARD_FORM } from '../forms/card-form.ts'
import { OPEN_DRAWER } from '../forms/page-context.ts'
import type { PageResponse } from '../forms/page-response.ts'
import { type PostedForm, TEST_CARD_EXPIRY } from '../forms/posted-form.ts'
import type { Language } from '../languages/language.ts'
import { type Html, html } from '../markup/html.ts'
import { LIVE_ELEMENT } from '../view/assets.ts'
import { insertBeforeFooter } from '../view/footer.ts'
import { isolateText } from '../view/isolate-text.ts'

/** The contents of the developer drawer. */
export interface DrawerOptions {
  /** The session or invoice that the page is about. */
  readonly id: string
  /** The path of the page. */
  readonly path: string
  readonly isOpen: boolean
  readonly events: readonly EventWithDeliveries[]
}

const MAX_RESPONSE_CHARACTERS = 200
const TIME_START = 'YYYY-MM-DDT'.length
const TIME_END = TIME_START + 'HH:MM:SS'.length

/** Returns the form filled in with the test card that the developer chose by its outcome. */
export function applyTestCard(form: PostedForm): PostedForm {
  const chosen = typeof form['test_card'] === 'string' ? findCardByAlias(form['test_card']) : undefined
  if (chosen === undefined) return form
  const cvc = '1234'.slice(0, chosen.cvcLength)
  return { ...form, number: chosen.number, expiry: TEST_CARD_EXPIRY, cvc }
}

/** Inserts the developer drawer: buttons for test outcomes, and related events with the responses of webhook endpoints. */
export function appendDrawer(
  response: PageResponse,
  options: DrawerOptions,
  language: Language,
): PageResponse {
  return { ...response, body: insertBeforeFooter(response.body, drawer(response.body, options, language)) }
}

function drawer(body: string, { id, path, isOpen, events }: DrawerOptions, language: Language): Html {
  const { t } = language
  const items = events.map((one) => eventItem(one, language))
  return html`<aside class="drawer" aria-label="${t('forDevelopers')}"><details${isOpen && html` open`}><summary>${t('forDevelopers')}</summary>
<p>${t('onlyLocal')} <code>${id}</code></p>
${body.includes(`<form id="${CARD_FORM}"`) && outcomeButtons(language)}
<h2>${t('eventsSent')}</h2>
<div class="events">${items.length === 0 ? html`<p>${t('noEvents')}</p>` : html`<ol>${items}</ol>`}</div>
<p><a class="reload" href="${path}?${OPEN_DRAWER}">${t('reload')}</a></p>
</details></aside>
${!body.includes(LIVE_ELEMENT.toString()) && LIVE_ELEMENT}
`
}

function outcomeButtons({ t, messages }: Language): Html {
  const buttons = Object.entries(messages.outcomes).map(
    ([alias, outcome]) =>
      html`<button type="submit" form="${CARD_FORM}" name="test_card" value="${alias}">${outcome}</button>
`,
  )
  return html`<h2>${t('tryOutcome')}</h2>
<div class="outcomes">${buttons}</div>`
}

function eventItem({ event, deliveries }: EventWithDeliveries, language: Language): Html {
  const time = new Date(event.created * 1000).toISOString().slice(TIME_START, TIME_END)
  const items = deliveries.map((delivery) => deliveryItem(delivery, language))
  const note = deliveries.length === 0 && html`<p>${language.t('noEndpoint')}</p>`
  return html`<li><code>${event.type}</code> <time>${time}</time>${note}${items}</li>
`
}

function deliveryItem(delivery: WebhookDelivery, language: Language): Html {
  const { url, status, response_body } = delivery
  const body =
    response_body &&
    html`<pre dir="auto">${truncateMasked(sanitizeText(response_body), MAX_RESPONSE_CHARACTERS)}</pre>`
  return html`<p class="${status}">${isolateText(url)} <b>${describeDelivery(delivery, language)}</b></p>${body}`
}

function describeDelivery(
  { status, http_status, error, duration_ms }: WebhookDelivery,
  { t }: Language,
): string {
  if (status === 'pending') return t('toBeSent')
  if (http_status !== null) return t('responseStatus', { status: http_status, ms: duration_ms ?? 0 })
  return `${t('notDelivered')}${error === null ? '' : `: ${error}`}`
}

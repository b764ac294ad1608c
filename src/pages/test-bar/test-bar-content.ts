import { findCardByAlias } from '../../domain/cards/test-cards.ts'
import type { HostedSession } from '../../domain/completion/hosted-session.ts'
import type { WebhookDelivery } from '../../domain/events/webhook-deliveries.ts'
import type { EventWithDeliveries } from '../../domain/events/webhook-resends.ts'
import { maskAndTruncate } from '../../domain/text/card-number-masking.ts'
import { escapeUnsafeCharacters } from '../../domain/text/sanitize.ts'
import { type PageContext, TEST_BAR_PARAM } from '../forms/page-context.ts'
import { type PostedForm, TEST_CARD_EXPIRY } from '../forms/posted-form.ts'
import type { Language } from '../languages/language.ts'
import { type Html, html, isolateTextDirection } from '../markup/html.ts'
import type { TestBarContent } from '../view/page-view.ts'
import { loadRelatedEvents } from './related-events.ts'

const MAX_RESPONSE_CHARACTERS = 200
const TIME_START = 'YYYY-MM-DDT'.length
const TIME_END = TIME_START + 'HH:MM:SS'.length

/** Fills in the form with the test card that the developer chose by its outcome. */
export function fillInTestCard(form: PostedForm): PostedForm {
  const chosen = typeof form['test_card'] === 'string' ? findCardByAlias(form['test_card']) : undefined
  if (chosen === undefined) return form
  const cvc = '1234'.slice(0, chosen.cvcLength)
  return { ...form, number: chosen.number, expiry: TEST_CARD_EXPIRY, cvc }
}

/**
 * Loads the test bar of a session, invoice or payment. Related events with their deliveries are loaded only when
 * the test bar is open. A closed bar has a link to the events, which the script of the page follows when the bar is
 * opened.
 */
export async function loadTestBarContent(
  { pages, view, path, isTestBarOpen }: PageContext,
  id: string,
  session: HostedSession | null,
): Promise<TestBarContent> {
  const { language, links } = view
  const { t } = language
  const reload = links.page(path, TEST_BAR_PARAM)
  const list = isTestBarOpen
    ? eventList(
        await loadRelatedEvents(pages.runtime.store, id, session?.id === id ? session : null),
        language,
      )
    : html`<p><a href="${reload}">${t('showEvents')}</a></p>`
  const events = html`<h2>${t('eventsSent')}</h2>
<div class="events">${list}</div>
<p><a class="reload" href="${reload}">${t('reload')}</a> · ${t('onlyLocal')} <code>${id}</code></p>`
  return { isOpen: isTestBarOpen, events }
}

function eventList(events: readonly EventWithDeliveries[], language: Language): Html {
  const items = events.map((one) => eventItem(one, language))
  return items.length === 0 ? html`<p>${language.t('noEvents')}</p>` : html`<ol>${items}</ol>`
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
    html`<pre dir="auto">${maskAndTruncate(escapeUnsafeCharacters(response_body), MAX_RESPONSE_CHARACTERS)}</pre>`
  return html`<p class="${status}">${isolateTextDirection(url)} <b>${describeDelivery(delivery, language)}</b></p>${body}`
}

function describeDelivery(
  { status, http_status, error, duration_ms }: WebhookDelivery,
  { t }: Language,
): string {
  if (status === 'pending') return t('toBeSent')
  if (http_status !== null) return t('responseStatus', { status: http_status, ms: duration_ms ?? 0 })
  return `${t('notDelivered')}${error === null ? '' : `: ${error}`}`
}

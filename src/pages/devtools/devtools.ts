import { cutMasked } from '../../domain/card-numbers.ts'
import { sanitizeText } from '../../domain/sanitize.ts'
import { findCardByAlias } from '../../domain/test-cards.ts'
import type { WebhookDelivery } from '../../domain/webhook-deliveries.ts'
import { CARD_FORM } from '../forms/card-form.ts'
import type { PostedForm } from '../forms/entered-card.ts'
import { OPEN_DRAWER } from '../forms/handlers.ts'
import type { PageAnswer } from '../forms/http.ts'
import type { Language } from '../languages/language.ts'
import { type Html, html } from '../markup/html.ts'
import { LIVE_ELEMENT } from '../view/assets.ts'
import { isolated, withBelow } from '../view/layout.ts'
import type { Happening } from './event-log.ts'

/** What a page shows to the developer beside whose daemon it is open. */
export interface Drawn {
  /** The session or invoice that the page is about. */
  readonly id: string
  /** Where the page is, as a path. */
  readonly path: string
  readonly isOpen: boolean
  readonly happenings: readonly Happening[]
}

const MAX_ANSWER_CHARACTERS = 200
const TIME_AT = 'YYYY-MM-DDT'.length
const TIME_END = TIME_AT + 'HH:MM:SS'.length
/** A card that no clock reaches the end of. */
const VALID = { exp_month: '12', exp_year: '2099' }

/** The form as if the card that a developer chose by its outcome had been typed into it. */
export function withChosenCard(form: PostedForm): PostedForm {
  const chosen = typeof form['test_card'] === 'string' ? findCardByAlias(form['test_card']) : undefined
  if (chosen === undefined) return form
  return { ...form, ...VALID, number: chosen.number, cvc: '1234'.slice(0, chosen.cvcLength) }
}

/** A page with the drawer below it: outcomes to choose from, the events about it and what their receivers answered. */
export function withDrawer(answer: PageAnswer, drawn: Drawn, language: Language): PageAnswer {
  return { ...answer, body: withBelow(answer.body, drawer(answer.body, drawn, language)) }
}

function drawer(body: string, { id, path, isOpen, happenings }: Drawn, language: Language): Html {
  const { say } = language
  const events = happenings.map((one) => happening(one, language))
  return html`<aside class="drawer" aria-label="${say('forDevelopers')}"><details${isOpen && html` open`}><summary>${say('forDevelopers')}</summary>
<p>${say('onlyLocal')} <code>${id}</code></p>
${body.includes(`<form id="${CARD_FORM}"`) && outcomes(language)}
<h2>${say('eventsSent')}</h2>
<div class="happenings">${events.length === 0 ? html`<p>${say('noEvents')}</p>` : html`<ol>${events}</ol>`}</div>
<p><a class="reload" href="${path}?${OPEN_DRAWER}">${say('reload')}</a></p>
</details></aside>
${!body.includes(LIVE_ELEMENT.toString()) && LIVE_ELEMENT}
`
}

function outcomes({ say, messages }: Language): Html {
  const buttons = Object.entries(messages.outcomes).map(
    ([alias, outcome]) =>
      html`<button type="submit" form="${CARD_FORM}" name="test_card" value="${alias}">${outcome}</button>
`,
  )
  return html`<h2>${say('tryOutcome')}</h2>
<div class="outcomes">${buttons}</div>`
}

function happening({ event, deliveries }: Happening, language: Language): Html {
  const time = new Date(event.created * 1000).toISOString().slice(TIME_AT, TIME_END)
  const told = deliveries.map((delivery) => attempt(delivery, language))
  const untold = deliveries.length === 0 && html`<p>${language.say('noEndpoint')}</p>`
  return html`<li><code>${event.type}</code> <time>${time}</time>${untold}${told}</li>
`
}

function attempt(delivery: WebhookDelivery, language: Language): Html {
  const { url, status, response_body } = delivery
  const answered =
    response_body &&
    html`<pre dir="auto">${cutMasked(sanitizeText(response_body), MAX_ANSWER_CHARACTERS)}</pre>`
  return html`<p class="${status}">${isolated(url)} <b>${outcomeOf(delivery, language)}</b></p>${answered}`
}

function outcomeOf({ status, http_status, error, duration_ms }: WebhookDelivery, { say }: Language): string {
  if (status === 'pending') return say('toBeSent')
  if (http_status !== null) return say('answerOf', { status: http_status, ms: duration_ms ?? 0 })
  return `${say('notDelivered')}${error === null ? '' : `: ${error}`}`
}

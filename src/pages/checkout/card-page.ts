import type { Invoice } from '../../domain/billing/invoices.ts'
import type { Subscription } from '../../domain/billing/subscriptions.ts'
import type { CardSession } from '../../domain/completion/card-sessions.ts'
import type { CardUpdateRecords } from '../../domain/completion/card-update.ts'
import { cardForm, type FormState } from '../forms/card-form.ts'
import type { Language } from '../languages/language.ts'
import { type Html, html } from '../markup/html.ts'
import { foldedLines } from '../view/fold.ts'
import { isolateText } from '../view/isolate-text.ts'
import { formPage, truncateText } from '../view/layout.ts'
import type { PageView } from '../view/page-view.ts'
import { customerLine, type OrderSummaryOptions, priceHeading } from './order-summary.ts'

const MAX_UNFOLDED = 2

export interface CardPageOptions extends OrderSummaryOptions<CardSession> {
  readonly update: CardUpdateRecords
}

/**
 * Returns the page of an open card session: the subscriptions and invoices that the new card pays, and the card form.
 */
export function cardPage(options: CardPageOptions, state: FormState, view: PageView): Html {
  const { session, update, language } = options
  const { t } = language
  const purpose = {
    action: view.links.session(session),
    title: t('cardDetails'),
    button: describeButton(update, language),
    consent: update.subscriptions.length === 0 ? null : t('consentCard'),
  }
  const form = cardForm(purpose, state, language)
  return formPage(
    { title: t('updateCard'), state, summary: summary(options), form, cardPath: purpose.action },
    view,
  )
}

function summary(options: CardPageOptions): Html {
  const { update, language } = options
  const { t } = language
  return html`<section class="summary" aria-labelledby="price">
<p class="eyebrow">${t('card')}</p>
${priceHeading(t('updateCard'), null)}
${subscriptionList(update.subscriptions, language)}
${invoiceList(update, language)}
${customerLine(options)}
</section>`
}

function subscriptionList(subscriptions: readonly Subscription[], language: Language): Html {
  const { t, plural, messages } = language
  if (subscriptions.length === 0) return html`<p class="schedule">${t('cardForLater')}</p>`
  const lines = subscriptions.map(({ description, interval, interval_count }) => {
    const every = plural(messages.every[interval], interval_count)
    return html`<li><span>${truncateText(description)}</span><span>${every}</span></li>
`
  })
  return html`<p class="schedule">${t('cardUsedFor')}</p>
${lineList(lines, language)}`
}

function invoiceList({ invoices }: CardUpdateRecords, language: Language): Html {
  const { t, formatMoney } = language
  if (invoices.length === 0) return html`<p class="schedule">${t('nothingPaidNow')}</p>`
  const lines = invoices.map(
    ({ invoice: { number, description, amount_remaining, currency } }) =>
      html`<li><span>${t('invoiceNumber', { number: number ?? '' })}<small>${isolateText(description)}</small></span><span>${formatMoney(amount_remaining, currency)}</span></li>
`,
  )
  return html`<p class="schedule">${t('paidNow')}</p>
${lineList(lines, language)}`
}

function lineList(lines: readonly Html[], language: Language): Html {
  const list = html`<ul class="lines">
${lines}
</ul>`
  return lines.length > MAX_UNFOLDED ? foldedLines(lines.length, list, language) : list
}

function describeButton({ invoices }: CardUpdateRecords, { t, formatMoney }: Language): string {
  const [total, ...others] = sumByCurrency(invoices.map(({ invoice }) => invoice))
  if (total === undefined) return t('saveCard')
  return others.length === 0 ? t('saveAndPay', { amount: formatMoney(...total) }) : t('saveAndPayAll')
}

/** Returns the amount due in each currency, in minor units. */
function sumByCurrency(invoices: readonly Invoice[]): (readonly [amount: number, currency: string])[] {
  const groups = Map.groupBy(invoices, ({ currency }) => currency)
  return Array.from(groups, ([currency, owed]) => [
    owed.reduce((sum, { amount_remaining }) => sum + amount_remaining, 0),
    currency,
  ])
}

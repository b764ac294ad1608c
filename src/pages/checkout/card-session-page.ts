import type { Invoice } from '../../domain/billing/invoices.ts'
import type { Subscription } from '../../domain/billing/subscriptions.ts'
import type { CardUpdateRecords } from '../../domain/completion/card-session-completion.ts'
import type { CardSession } from '../../domain/completion/card-sessions.ts'
import { type Instrument, isBankAccount } from '../../domain/payments/payment-methods.ts'
import { formatCardExpiry } from '../forms/card-expiry.ts'
import { type FormState, renderFormPage } from '../forms/card-form.ts'
import type { Language } from '../languages/language.ts'
import { type Html, html, isolateTextDirection } from '../markup/html.ts'
import { renderShortCard } from '../receipt/receipt.ts'
import { renderTruncatedText } from '../view/layout.ts'
import { type OrderRow, renderFoldableList } from '../view/order-lines.ts'
import type { PageView } from '../view/page-view.ts'
import { type OrderSummaryOptions, renderCustomerLine, renderPriceHeading } from './order-summary.ts'

const MAX_UNFOLDED = 2

export interface CardSessionPageOptions extends OrderSummaryOptions<CardSession> {
  readonly update: CardUpdateRecords
  /** The cards that the new card replaces. */
  readonly replaced: readonly Instrument[]
}

/**
 * Returns the page of an open card session: the subscriptions and invoices that the new card pays, and the card form.
 */
export function renderCardSessionPage(
  options: CardSessionPageOptions,
  state: FormState,
  view: PageView,
): Html {
  const { session, update, language } = options
  const { t } = language
  const purpose = {
    action: view.links.session(session),
    title: t('cardDetails'),
    button: describeButton(update, language),
    consent: update.subscriptions.length === 0 ? null : t('consentCard'),
  }
  return renderFormPage({ title: t('updateCard'), purpose, summary: summary(options) }, state, view)
}

function summary(options: CardSessionPageOptions): Html {
  const { update, language } = options
  const { t } = language
  return html`<section class="summary" aria-labelledby="price">
${renderPriceHeading(t('updateCard'), null)}
${options.replaced.length > 0 && replacedCards(options.replaced, language)}
${subscriptionList(update.subscriptions, language)}
${invoiceList(update, language)}
${renderCustomerLine(options)}
</section>`
}

function replacedCards(cards: readonly Instrument[], language: Language): Html {
  return html`<p class="schedule">${language.t('currentCard')}</p>
${renderCardList(cards, language)}`
}

/** Returns a list of cards with their expiry, and of bank accounts. */
export function renderCardList(cards: readonly Instrument[], language: Language): Html {
  const { t } = language
  const rows = cards.map((card): OrderRow => {
    if (isBankAccount(card))
      return { name: renderShortCard({ brand: 'sepa_debit', last4: card.last4 }, language), amount: null }
    const [exp_month, exp_year] = [String(card.exp_month), String(card.exp_year)]
    const expiry = html`<bdi dir="ltr">${formatCardExpiry({ exp_month, exp_year })}</bdi>`
    return { name: renderShortCard(card, language), amount: html`${t('expiry')} ${expiry}` }
  })
  return renderFoldableList(rows, MAX_UNFOLDED, language)
}

function subscriptionList(subscriptions: readonly Subscription[], language: Language): Html {
  const { t, plural, messages, formatDate } = language
  if (subscriptions.length === 0) return html`<p class="schedule">${t('cardForLater')}</p>`
  const rows = subscriptions.map((subscription) => {
    const next = nextPaymentAt(subscription)
    return {
      name: renderTruncatedText(subscription.description),
      notes: [next === null ? null : `${t('nextPayment')} · ${formatDate(next)}`],
      amount: plural(messages.every[subscription.interval], subscription.interval_count),
    }
  })
  return html`<p class="schedule">${t('cardUsedFor')}</p>
${renderFoldableList(rows, MAX_UNFOLDED, language)}`
}

/** Returns the time of the next charge in Unix seconds; null when no charge is scheduled. */
function nextPaymentAt(subscription: Subscription): number | null {
  const { status, collection_method, current_period_end } = subscription
  const isPaused = status === 'unpaid' || subscription.pause_collection !== null
  if (isPaused || collection_method === 'send_invoice' || subscription.cancel_at_period_end) return null
  return status === 'pending' ? subscription.start_date : current_period_end
}

function invoiceList({ invoices }: CardUpdateRecords, language: Language): Html {
  const { t, formatMoney } = language
  if (invoices.length === 0) return html`<p class="schedule">${t('nothingPaidNow')}</p>`
  const rows = invoices.map(({ invoice: { number, description, amount_remaining, currency } }) => ({
    name: t('invoiceNumber', { number: number ?? '' }),
    notes: [isolateTextDirection(description)],
    amount: formatMoney(amount_remaining, currency),
  }))
  return html`<p class="schedule">${t('paidNow')}</p>
${renderFoldableList(rows, MAX_UNFOLDED, language)}`
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

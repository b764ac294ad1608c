import type { Invoice } from '../../domain/billing/invoices.ts'
import { canUndoCancellation, isCancelable, listPlanOptions } from '../../domain/billing/portal-changes.ts'
import type { Subscription } from '../../domain/billing/subscriptions.ts'
import { calculateLineTotals } from '../../domain/core/money.ts'
import type { Instrument } from '../../domain/payments/payment-methods.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import { toTaxableLine } from '../../domain/sessions/item-amounts.ts'
import type { PortalSession } from '../../domain/sessions/portal-sessions.ts'
import { renderCardList } from '../checkout/card-session-page.ts'
import { type FormNotice, renderNotice } from '../forms/card-form.ts'
import type { Language } from '../languages/language.ts'
import { type Html, html, isolateTextDirection } from '../markup/html.ts'
import { renderDetailList, renderDocument, renderTruncatedText } from '../view/layout.ts'
import {
  formatUnitsNote,
  getItemName,
  isDescriptionUseful,
  type OrderRow,
  renderFoldableList,
} from '../view/order-lines.ts'
import type { PageView } from '../view/page-view.ts'
import type { DetailRow } from '../view/receipt-texts.ts'
import { findReturnTarget } from '../view/return-url.ts'
import type { PortalRecords, PortalSubscription } from './load-portal.ts'

/** The number of lines above which narrow screens collapse the lines. */
const MAX_UNFOLDED = 5

/** The notice above the content, whether to confirm a change, and the function that issues form tokens. */
export interface PortalPageState {
  readonly notice: FormNotice | null
  readonly isDone: boolean
  readonly issueToken: (part: string) => string
}

/** Returns the page of a portal session: subscriptions, card and invoices. */
export function renderPortalPage(
  session: PortalSession,
  records: PortalRecords,
  state: PortalPageState,
  view: PageView,
): Html {
  const { t, tMarkup } = view.language
  const target = findReturnTarget(session)
  const title = t('portal')
  const main = html`<h1 class="account">${title}</h1>
${state.isDone && html`<p class="saved" role="status">${t('portalDone')}</p>`}
${renderNotice(state.notice)}
${records.subscriptions.length === 0 && html`<p>${t('noSubscriptions')}</p>`}
${records.subscriptions.map((one) => subscriptionPanel(one, session, state, view))}
${session.features.cards && cardPanel(session, records.cards, state, view)}
${records.receipts.length > 0 && receiptPanel(records.receipts, view)}
${target && html`<p class="aside"><a href="${target.url}" rel="noreferrer">${tMarkup('backTo', { host: isolateTextDirection(target.host) })}</a></p>`}`
  return renderDocument({ title, main, shape: 'narrow' }, view)
}

function subscriptionPanel(
  { subscription, next, open }: PortalSubscription,
  session: PortalSession,
  { issueToken }: PortalPageState,
  view: PageView,
): Html {
  const { links, language } = view
  const { t } = language
  const { id } = subscription
  const part = (action: string) => `/subscriptions/${id}/${action}`
  const link = (action: string) => links.session(session, part(action))
  const { items } = subscription
  // With one unit of a single item, the item usually repeats the description and price of the subscription.
  const isListed =
    items.length > 1 ||
    items[0]?.quantity !== 1 ||
    isDescriptionUseful(subscription.description, items, language)
  const rows = items.map((item) => itemRow(item, subscription, language))
  return html`<section class="panel" aria-labelledby="${id}">
<h2 id="${id}">${renderTruncatedText(subscription.description)}</h2>
<p class="merchant">${describeSubscriptionPrice(subscription, language)}</p>
<p class="schedule">${describeState(subscription, language)}${open && html` <a href="${links.invoice(open.id)}">${t('toInvoice')}</a>`}</p>
${isListed && renderFoldableList(rows, MAX_UNFOLDED, language)}
${next && isInvoiceOpenOrPaid(next) && renderDetailList(listNextInvoiceRows(next, language))}
${listPlanOptions(session, subscription).length > 0 && html`<a class="button quiet" href="${link('change')}">${t('changePlan')}</a>`}
${canUndoCancellation(session, subscription) && renderButtonForm({ action: link('resume'), token: issueToken(part('resume')), button: t('keepSubscription') })}
${isCancelable(session, subscription) && html`<a class="button quiet" href="${link('cancel')}">${t('cancelSubscription')}</a>`}
</section>`
}

interface ButtonForm {
  readonly action: string
  readonly token: string
  readonly button: string
  /** Whether the button is the main button of the page (default: false). */
  readonly isMain?: boolean
  /** The hidden fields of the form. */
  readonly fields?: Html
}

/** Renders a form with only a button. */
export function renderButtonForm({ action, token, button, isMain = false, fields }: ButtonForm): Html {
  return html`<form method="post" action="${action}"><input type="hidden" name="form_token" autocomplete="off" value="${token}">${fields}<button type="submit"${isMain || html` class="quiet"`}>${button}</button></form>`
}

function itemRow(
  item: Subscription['items'][number],
  { currency }: Subscription,
  language: Language,
): OrderRow {
  const { amount } = toTaxableLine(item)
  return {
    name: isolateTextDirection(getItemName(item, language)),
    notes: [formatUnitsNote(item.quantity, item.price_data.amount, currency, language)],
    amount: language.formatMoney(amount, currency),
  }
}

/** Returns the price of a subscription with tax, such as `€12.00 every month`. */
export function describeSubscriptionPrice(
  { items, currency, interval, interval_count }: Subscription,
  { t, plural, messages, formatMoney }: Language,
): string {
  const amounts = items.map((item) => calculateLineTotals(toTaxableLine(item)).amount_total)
  const total = amounts.reduce((sum, amount) => sum + amount, 0)
  const every = plural(messages.every[interval], interval_count)
  return t('amountEvery', { total: formatMoney(total, currency), every })
}

function describeState(subscription: Subscription, { t, formatDate }: Language): string {
  const { status, cancel_at_period_end, current_period_end, start_date, ended_at } = subscription
  const date = (at: number | null) => ({ date: formatDate(at ?? start_date) })
  if (status === 'canceled') return t('stateEnded', date(ended_at))
  if (cancel_at_period_end) return t('stateEnding', date(current_period_end))
  switch (status) {
    case 'pending':
      return t('statePending', date(start_date))
    case 'trialing':
      return t('stateTrialing', date(current_period_end))
    case 'paused':
      return t('statePaused')
    case 'active':
      return t('stateActive')
    default:
      return t('stateFailed')
  }
}

/**
 * Returns whether an invoice is collected from the customer. During a pause of collection, an invoice stays a draft, or
 * becomes void or uncollectible.
 */
export function isInvoiceOpenOrPaid({ status }: Invoice): boolean {
  return status === 'open' || status === 'paid'
}

/** Returns the rows of the next charge or invoice: its discount, then its amount and date. */
export function listNextInvoiceRows(
  next: Invoice,
  { t, formatMoney, formatDate }: Language,
): readonly DetailRow[] {
  const { currency, discount, discount_amount, collection_method } = next
  const amount = formatMoney(next.amount_due, currency)
  const reduction = html`<bdi>${discount?.name ?? ''}</bdi> ${formatMoney(-discount_amount, currency)}`
  return [
    ...(discount_amount === 0 ? [] : [[t('discount'), reduction] as const]),
    [
      t(collection_method === 'send_invoice' ? 'nextInvoice' : 'nextPayment'),
      t('amountOn', { amount, date: formatDate(next.created) }),
    ],
  ]
}

function cardPanel(
  session: PortalSession,
  cards: readonly Instrument[],
  { issueToken }: PortalPageState,
  { links, language }: PageView,
): Html {
  const { t } = language
  return html`<section class="panel" aria-labelledby="card">
<h2 id="card">${t('currentCard')}</h2>
${cards.length === 0 ? html`<p class="schedule">${t('noCard')}</p>` : renderCardList(cards, language)}
${renderButtonForm({ action: links.session(session), token: issueToken('/card'), button: t('updateCard') })}
</section>`
}

function receiptPanel(receipts: readonly (Invoice | Payment)[], view: PageView): Html {
  const { language } = view
  return html`<section class="panel" aria-labelledby="receipts">
<h2 id="receipts">${language.t('invoicesAndReceipts')}</h2>
${renderFoldableList(
  receipts.map((one) => receiptRow(one, view)),
  MAX_UNFOLDED,
  language,
)}
</section>`
}

function receiptRow(one: Invoice | Payment, { links, language }: PageView): OrderRow {
  const { t, formatMoney, formatDate } = language
  const page = one.object === 'invoice' ? links.invoice(one.id) : links.confirmationResult(one.id)
  const pdf = links.receiptPdf(one)
  const name =
    one.object === 'invoice'
      ? t('invoiceNumber', { number: one.number ?? '' })
      : (one.description ?? t('paymentReceived'))
  const isPaid = one.status === 'paid' || one.status === 'succeeded'
  const paidAt = (one.object === 'invoice' ? one.paid_at : one.succeeded_at) ?? one.created
  const date = isPaid
    ? t('paidOn', { date: formatDate(paidAt) })
    : t('issuedOn', { date: formatDate(one.created) })
  const download = html` · <a href="${pdf}" aria-label="${t('downloadPdf')}: ${name}">${t('downloadPdf')}</a>`
  const amount = one.object === 'invoice' ? one.total : one.amount
  return {
    name: html`<a href="${page}">${isolateTextDirection(name)}</a><small>${date}${isPaid && download}</small>`,
    amount: formatMoney(amount, one.currency),
  }
}

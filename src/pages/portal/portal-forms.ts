import type { Invoice } from '../../domain/billing/invoices.ts'
import { getPlanTerms, isCanceledImmediately, type PlanOption } from '../../domain/billing/portal-changes.ts'
import type { Subscription } from '../../domain/billing/subscriptions.ts'
import { MAX_QUANTITY } from '../../domain/core/money.ts'
import type { PortalSession } from '../../domain/sessions/portal-sessions.ts'
import { type FormNotice, renderNotice } from '../forms/card-form.ts'
import { renderInvoiceLines } from '../invoice/invoice-page.ts'
import type { Language } from '../languages/language.ts'
import { type Html, html, isolateTextDirection } from '../markup/html.ts'
import { renderDetailList, renderDocument, renderTruncatedText } from '../view/layout.ts'
import { LANGUAGE_PARAM } from '../view/links.ts'
import { getItemName } from '../view/order-lines.ts'
import type { PageView } from '../view/page-view.ts'
import {
  describeSubscriptionPrice,
  isInvoiceOpenOrPaid,
  listNextInvoiceRows,
  renderButtonForm,
} from './portal-page.ts'

/** The subscription that a page changes, with its session and notice. */
export interface ChangePageSubject {
  readonly session: PortalSession
  readonly subscription: Subscription
  readonly notice: FormNotice | null
}

/** Returns the page on which the customer confirms the cancellation of a subscription. */
export function renderCancelPage(
  { session, subscription, notice }: ChangePageSubject,
  token: string,
  view: PageView,
): Html {
  const { t, formatDate } = view.language
  const title = t('cancelSubscription')
  const end = subscription.current_period_end ?? subscription.start_date
  const text = isCanceledImmediately(session, subscription)
    ? t('cancelsNow')
    : t('cancelsLater', { date: formatDate(end) })
  const action = view.links.session(session, `/subscriptions/${subscription.id}/cancel`)
  const main = html`<section class="panel" aria-labelledby="title">
<h1 class="account" id="title">${title}</h1>
<p class="merchant">${renderTruncatedText(subscription.description)}</p>
${renderNotice(notice)}
<p class="schedule">${text}</p>
${renderButtonForm({ action, token, button: title, isMain: true })}
${backLink(session, t('keepSubscription'), view)}
</section>`
  return renderDocument({ title, main, shape: 'narrow' }, view)
}

function backLink(session: PortalSession, text: string, { links }: PageView): Html {
  return html`<a class="button quiet" href="${links.session(session)}">${text}</a>`
}

/** The preview of a change: the chosen plan and quantity, and the invoices that the change causes. */
export interface ChangePreview {
  readonly changed: Subscription
  readonly at: number
  /** The invoice that the change creates now; null if the change creates no invoice. */
  readonly now: Invoice | null
  readonly next: Invoice | null
  readonly token: string
}

/** The entered plan and quantity, and whether the quantity is invalid. */
export interface EnteredChange {
  readonly options: readonly PlanOption[]
  readonly plan: string
  readonly quantity: string
  readonly isQuantityInvalid: boolean
}

/** Returns the page on which the customer chooses the plan and quantity, and confirms the change after a preview. */
export function renderPlanChangePage(
  subject: ChangePageSubject,
  entered: EnteredChange,
  preview: ChangePreview | null,
  view: PageView,
): Html {
  const { session, subscription, notice } = subject
  const { t } = view.language
  const heading = t('changePlan')
  const title = notice === null ? heading : t('errorTitle', { title: notice.title })
  const main = html`<section class="panel" aria-labelledby="title">
<h1 class="account" id="title">${heading}</h1>
<p class="merchant">${renderTruncatedText(subscription.description)} · ${describeSubscriptionPrice(subscription, view.language)}</p>
${renderNotice(notice)}
${choiceForm(subject, entered, view)}
${preview === null && backLink(session, t('backToPortal'), view)}
</section>
${preview && previewPanel(subject, entered, preview, view)}`
  return renderDocument({ title, main, shape: 'narrow' }, view)
}

// The form uses GET, so that a preview changes nothing and can be reloaded.
function choiceForm(
  { session, subscription }: ChangePageSubject,
  entered: EnteredChange,
  view: PageView,
): Html {
  const { links, language } = view
  const { t } = language
  // The browser replaces the query of the path with the fields.
  const [action = ''] = links.session(session, `/subscriptions/${subscription.id}/change`).split('?')
  const chosen =
    links.chosenLanguage !== null &&
    html`<input type="hidden" name="${LANGUAGE_PARAM}" value="${links.chosenLanguage}">`
  const options = entered.options.map(
    (option) =>
      html`<option value="${option.key}"${option.key === entered.plan && html` selected`}>${describeOption(option, subscription, language)}</option>`,
  )
  const error =
    entered.isQuantityInvalid &&
    html`<p class="field-error" id="quantity-error">${t('quantityInvalid', { max: MAX_QUANTITY })}</p>`
  const describedBy =
    entered.isQuantityInvalid && html` aria-invalid="true" aria-describedby="quantity-error"`
  return html`<form method="get" action="${action}">${chosen}
${options.length > 1 && html`<div class="field"><label for="plan">${t('plan')}</label><select id="plan" name="plan">${options}</select></div>`}
<div class="field"><label for="quantity">${t('quantity')}</label><input id="quantity" name="quantity" type="text" inputmode="numeric" autocomplete="off" dir="ltr" maxlength="9" required value="${entered.quantity}"${describedBy}>${error}</div>
<button type="submit" class="quiet">${t('showPrice')}</button>
</form>`
}

function describeOption({ plan }: PlanOption, subscription: Subscription, language: Language): string {
  const { t, plural, messages, formatMoney } = language
  const [item] = subscription.items
  const { description, price, interval, interval_count } = getPlanTerms(plan, subscription)
  const every = plural(messages.every[interval], interval_count)
  const total = t('amountEvery', { total: formatMoney(price.amount, subscription.currency), every })
  const name = description ?? (item === undefined ? '' : getItemName(item, language))
  const text = `${name} · ${total}`
  return plan === null ? t('currentPlan', { plan: text }) : text
}

function previewPanel(
  { session, subscription }: ChangePageSubject,
  { plan, quantity }: EnteredChange,
  preview: ChangePreview,
  view: PageView,
): Html {
  const { t } = view.language
  const { now, next, token, at, changed } = preview
  const [item] = changed.items
  const name = item && isolateTextDirection(getItemName(item, view.language))
  const path = `/subscriptions/${subscription.id}/change/${plan}/${quantity}`
  const action = view.links.session(session, path)
  const dueName = t(now?.collection_method === 'send_invoice' ? 'invoice' : 'totalDueToday')
  const fields = html`<input type="hidden" name="at" value="${at}">`
  return html`<section class="panel" aria-labelledby="preview">
<h2 id="preview">${name}</h2>
<p class="merchant">${describeSubscriptionPrice(changed, view.language)}</p>
${now === null || !isInvoiceOpenOrPaid(now) ? html`<p class="schedule">${t('nothingPaidNow')}</p>` : renderInvoiceLines({ ...now, amount_paid: 0, amount_remaining: now.amount_due }, dueName, view.language)}
${next && isInvoiceOpenOrPaid(next) && renderDetailList(listNextInvoiceRows(next, view.language))}
${renderButtonForm({ action, token, button: t('confirmChange'), isMain: true, fields })}
${backLink(session, t('backToPortal'), view)}
</section>`
}

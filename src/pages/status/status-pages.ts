import type { CompletableSession, HostedSession } from '../../domain/completion/hosted-session.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import { createHtmlResponse, type PageResponse } from '../forms/page-response.ts'
import type { TextKey } from '../languages/messages.ts'
import { type Html, type HtmlValue, html, isolateTextDirection } from '../markup/html.ts'
import { renderStatusIcon, type StatusIconKind } from '../markup/status-icons.ts'
import { renderPaidAmount, renderReceiptActions, renderReceiptSection } from '../receipt/receipt.ts'
import { type PageRefresh, renderDetailList, renderDocument } from '../view/layout.ts'
import { renderOrderList } from '../view/order-lines.ts'
import type { PageView } from '../view/page-view.ts'
import type { ReceiptPageContent } from '../view/receipt-texts.ts'
import { findReturnTarget } from '../view/return-url.ts'

/** The content of a page without a form. Receipts, if there are any, are shown above the other details. */
export interface StatusPageContent extends Partial<ReceiptPageContent> {
  readonly icon: StatusIconKind
  readonly title: string
  /** The text of the page: one or more paragraphs. */
  readonly text: HtmlValue | readonly HtmlValue[]
  readonly link?: HtmlValue
  readonly refresh?: PageRefresh
}

const SECONDS_PER_MINUTE = 60

/** Returns the response for a session that expired or was canceled by its merchant. */
export function createExpiredResponse(session: HostedSession, view: PageView): PageResponse {
  const { t, tMarkup } = view.language
  // A portal session does not end with a payment, and its forms may already have charged the customer.
  const isPortal = session.object === 'portal_session'
  const isTimedOut = isPortal || session.expiration_reason === 'time'
  const target = findReturnTarget(session)
  const host = target && isolateTextDirection(target.host)
  const content: StatusPageContent = {
    icon: isTimedOut ? 'waiting' : 'ended',
    title: t(isTimedOut ? 'expired' : 'canceled'),
    text: html`${isPortal || `${t('nothingCharged')} `}${host === null ? t('askForNewLink') : tMarkup('goBackOrAsk', { host })}`,
    link:
      target &&
      html`<a class="button" href="${target.url}" rel="noreferrer">${tMarkup('backTo', { host })}</a>`,
  }
  return createStatusPageResponse(view, content, 410)
}

/** Returns the page after too many declines, with the waiting time or the necessary advance of the test clock. */
export function createTooManyDeclinesResponse(
  { test_clock }: { readonly test_clock: string | null },
  { form, seconds }: { readonly form: string; readonly seconds: number },
  view: PageView,
): PageResponse {
  const { t, plural, messages } = view.language
  const minutes = plural(messages.minutes, Math.max(1, Math.ceil(seconds / SECONDS_PER_MINUTE)))
  const text = t(test_clock === null ? 'tooManyDeclinesWait' : 'tooManyDeclinesClock', { minutes })
  const link = html`<a class="button" href="${form}">${t('backToForm')}</a>`
  const content: StatusPageContent = { icon: 'waiting', title: t('tooManyDeclines'), text, link }
  // There is no Retry-After header with a test clock, because real time does not advance the clock.
  const headers = test_clock === null ? { 'Retry-After': String(seconds) } : {}
  return createStatusPageResponse(view, content, 429, headers)
}

/** Returns the response for a 3-D Secure challenge that is no longer pending: the session or the challenge is complete, or another card was used. */
export function createEndedChallengeResponse(
  session: CompletableSession,
  payment: Payment | null,
  view: PageView,
): PageResponse {
  const { t } = view.language
  const label = t(session.status === 'open' ? 'backToForm' : 'showResult')
  const link = html`<a class="button" href="${view.links.session(session)}">${label}</a>`
  const text = t(getEndedReason(session, payment))
  return createStatusPageResponse(view, { icon: 'ended', title: t('nothingToConfirm'), text, link }, 410)
}

function getEndedReason({ status, expiration_reason }: CompletableSession, payment: Payment | null): TextKey {
  // A reserved amount was confirmed before the cancellation of its payment.
  const isUnconfirmed = payment?.capture_before === null
  if (isUnconfirmed && payment.canceled_reason === 'requested') return 'canceledUnconfirmed'
  if (status !== 'expired') return 'challengeNoLongerValid'
  return expiration_reason === 'time' ? 'expiredUnconfirmed' : 'canceledUnconfirmed'
}

const FAILURES: Readonly<Record<number, readonly [title: TextKey, text: TextKey]>> = {
  403: ['wrongAddress', 'wrongAddressAdvice'],
  // The response is the same for every unknown URL, so that it does not reveal whether the URL existed before.
  404: ['notFound', 'notFoundAdvice'],
  405: ['notPossible', 'notPossibleAdvice'],
  413: ['formTooLarge', 'fillInAgain'],
  429: ['tooManyRequests', 'tooManyRequestsAdvice'],
}

/** The statuses after which a retry of the same URL may succeed. */
const RELOADABLE: ReadonlySet<number> = new Set([400, 413, 429, 500, 503, 507])

/** Returns the error page for an HTTP status. */
export function createErrorPageResponse(
  status: number,
  { testBar: _, ...view }: PageView,
  headers: Readonly<Record<string, string>> = {},
): PageResponse {
  const fallback =
    status < 500 ? (['unreadable', 'fillInAgain'] as const) : (['broken', 'brokenAdvice'] as const)
  const [title, text] = FAILURES[status] ?? fallback
  const { t } = view.language
  const content: StatusPageContent = {
    icon: 'ended',
    title: t(title),
    text: status === 404 ? [t(text), t('notFoundTest')] : t(text),
    // An empty URL opens the page itself, which also shows a form again after a POST.
    link: RELOADABLE.has(status) && html`<a class="button" href="">${t('tryAgain')}</a>`,
  }
  return createStatusPageResponse(view, content, status, headers)
}

/** Returns the response with a page without a form. If the page shows receipts, they are also available as PDF. */
export function createStatusPageResponse(
  view: PageView,
  content: StatusPageContent,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): PageResponse {
  const { title, details = [], receipts = [] } = content
  const response = createHtmlResponse(view, status, renderStatusPage(content, view), headers)
  return receipts.length === 0 ? response : { ...response, receiptPage: { title, details, receipts } }
}

function renderStatusPage(
  { icon, title, text, details, receipts = [], link, refresh }: StatusPageContent,
  view: PageView,
): Html {
  const only = receipts.length === 1 ? receipts[0] : undefined
  const rows = [...(only?.details ?? []), ...(details ?? [])].filter((row) => row !== null)
  const main = html`<section class="panel outcome" aria-labelledby="title">
${renderStatusIcon(icon)}
<h1 id="title">${title}</h1>
${only?.paid && renderPaidAmount(only.paid)}
${(Array.isArray(text) ? text : [text]).map((paragraph) => html`<p>${paragraph}</p>`)}
${rows.length > 0 && renderDetailList(rows)}
${only ? renderOrderList(only.rows) : receipts.map(renderReceiptSection)}
${link}
${receipts.length > 0 && renderReceiptActions(view)}
</section>`
  return renderDocument({ title, main, shape: 'narrow', ...(refresh && { refresh }) }, view)
}

import type { Invoice } from '../../domain/billing/invoices.ts'
import { SLOW_CARD_SECONDS } from '../../domain/cards/test-cards.ts'
import type { CompletableSession } from '../../domain/completion/hosted-session.ts'
import { isCardRequired } from '../../domain/completion/session-offers.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import type { CheckoutSession } from '../../domain/sessions/checkout-sessions.ts'
import { hasFutureStart, hasTrial } from '../../domain/sessions/checkout-start.ts'
import type { PaymentSession } from '../../domain/sessions/payment-sessions.ts'
import type { PageResponse } from '../forms/page-response.ts'
import type { Language } from '../languages/language.ts'
import type { TextKey } from '../languages/messages.ts'
import { type Html, html, isolateTextDirection } from '../markup/html.ts'
import { createPaymentMethodRow, createReceiptTexts, type Receipt } from '../receipt/receipt.ts'
import { renderTruncatedText } from '../view/layout.ts'
import type { PageView } from '../view/page-view.ts'
import { findReturnTarget, type ReturnTarget } from '../view/return-url.ts'
import { describeInterval, getNextPeriodStart, getRecurringTotal } from '../view/subscription-terms.ts'
import { createStatusPageResponse, type StatusPageContent } from './status-pages.ts'

const REFRESH_SECONDS = 2

/** The part of a result page that depends on the session. */
export type SessionResultContent = Pick<StatusPageContent, 'title' | 'text' | 'details' | 'receipts'> &
  Partial<Pick<StatusPageContent, 'icon'>>

/** Returns the row with the description of a session or a payment, if it has one. */
export function listDescriptionRows(
  described: CompletableSession | Payment | Invoice,
  { t }: Language,
): [name: string, value: Html][] {
  const description = 'description' in described ? described.description : null
  return description === null ? [] : [[t('purpose'), renderTruncatedText(description)]]
}

/** Returns the page of a charge that is processing. The page refreshes itself, also without a script. */
export function createProcessingResponse(
  session: CompletableSession,
  amount: number,
  view: PageView,
  status?: 409,
): PageResponse {
  const { t } = view.language
  const done = view.links.session(session, '/done')
  const content: StatusPageContent = {
    icon: 'waiting',
    title: t('beingProcessed'),
    text: t('bankTakesTime'),
    details: [describeAmount(session, amount, view.language), ...listDescriptionRows(session, view.language)],
    link: html`<p class="aside"><a href="${done}">${t('checkNow')}</a></p>`,
    refresh: { url: done, afterSeconds: REFRESH_SECONDS },
  }
  const headers = status === 409 ? { 'Retry-After': String(SLOW_CARD_SECONDS) } : {}
  return createStatusPageResponse(view, content, status, headers)
}

function describeAmount(
  session: CompletableSession,
  amount: number,
  { t, formatMoney }: Language,
): [name: string, value: string] | null {
  return session.object === 'card_session' ? null : [t('amount'), formatMoney(amount, session.currency)]
}

/** Returns the response with the page after a session was completed. The browser continues to `return_url` automatically. */
export function createCompletionResponse(
  session: CompletableSession,
  content: SessionResultContent,
  view: PageView,
): PageResponse {
  const { language } = view
  const target = findReturnTarget(session)
  const note =
    target &&
    html`<p>${language.tMarkup('returningToMerchant', { host: isolateTextDirection(target.host) })}</p>`
  return createStatusPageResponse(view, {
    icon: 'good',
    ...content,
    link: [note, continueLink(target, language)],
    ...(target && { refresh: { url: target.url, afterSeconds: 0 } }),
  })
}

/** Returns the response with the page of a session that was already complete. */
export function createAlreadyCompleteResponse(
  session: CompletableSession,
  content: SessionResultContent,
  view: PageView,
): PageResponse {
  const { language } = view
  return createStatusPageResponse(view, {
    icon: 'good',
    ...content,
    // The page of a complete but unpaid session shows the reason.
    ...(!isUnpaidSession(session) && {
      title: language.t(getAlreadyDoneTitle(session)),
      text: language.t('alreadyDone'),
    }),
    link: continueLink(findReturnTarget(session), language),
  })
}

function isUnpaidSession(session: CompletableSession): boolean {
  if (session.object === 'card_session' || session.payment_status !== 'unpaid') return false
  return session.payment !== null
}

function getAlreadyDoneTitle(session: CompletableSession): TextKey {
  if (session.object === 'card_session') return 'alreadyUpdated'
  return session.payment_status === 'paid' ? 'alreadyPaid' : 'alreadySubscribed'
}

function continueLink(target: ReturnTarget | null, { tMarkup }: Language): Html | null {
  return (
    target &&
    html`<a class="button" href="${target.url}" rel="noreferrer">${tMarkup('continueTo', { host: isolateTextDirection(target.host) })}</a>`
  )
}

/** Returns the content of the page after a payment session was completed. */
export function createPaidContent(
  session: PaymentSession,
  receipt: Receipt,
  language: Language,
): SessionResultContent {
  const { payment } = receipt
  if (payment !== null && payment.status !== 'succeeded')
    return createUncollectedContent(payment, session, language)
  return {
    title: language.t('paymentReceived'),
    text: language.t(session.payment_method ? 'paymentWentThroughCardSaved' : 'paymentWentThrough'),
    receipts: [createReceiptTexts(receipt, language)],
  }
}

/** The icon and the texts of a payment that collected nothing. */
const UNCOLLECTED = {
  requires_capture: ['waiting', 'amountReserved', 'amountReservedText'],
  processing: ['waiting', 'debitSubmitted', 'debitSubmittedText'],
  failed: ['ended', 'debitFailed', 'debitFailedText'],
  canceled: ['ended', 'reservationReleased', 'reservationReleasedText'],
} as const

/**
 * Returns the page content of a payment without a charge: its amount is reserved, the reserved amount was released, or
 * its debit has not succeeded.
 */
export function createUncollectedContent(
  payment: Payment,
  described: PaymentSession | Payment | Invoice,
  language: Language,
): SessionResultContent & Pick<StatusPageContent, 'icon'> {
  const { t, formatMoney, formatDate } = language
  const { id, status, amount, currency, capture_before: until, payment_method_details } = payment
  const [icon, title, text] = UNCOLLECTED[status as keyof typeof UNCOLLECTED]
  return {
    icon,
    title: t(title),
    text: t(text),
    details: [
      [t('amount'), formatMoney(amount, currency)],
      status === 'requires_capture' && until !== null ? [t('reservedUntil'), formatDate(until)] : null,
      [t('reference'), html`<small>${id}</small>`],
      createPaymentMethodRow(payment_method_details, language),
      ...listDescriptionRows(described, language),
    ],
  }
}

/** Returns the content of the page after a checkout session was completed. */
export function createSubscribedContent(
  session: CheckoutSession,
  receipt: Receipt,
  language: Language,
): SessionResultContent {
  const { currency, subscription } = session
  const { t, formatMoney, formatDate } = language
  const completed = session.completed_at ?? session.created
  const duration = receipt.invoice?.discount?.duration ?? null
  const total = formatMoney(getRecurringTotal(session, duration), currency)
  return {
    title: t('subscribed'),
    text: t(getSubscribedText(session, receipt, completed)),
    receipts: [createReceiptTexts(receipt, language)],
    details: [
      [t(getNextDateLabel(session, completed)), formatDate(getNextPeriodStart(session, completed))],
      // Without an invoice, the receipt already shows the total.
      receipt.invoice && [
        t('amount'),
        t('amountEvery', { total, every: describeInterval(session, language) }),
      ],
      receipt.payment === null ? [t('reference'), html`<small>${subscription}</small>`] : null,
    ],
  }
}

function getNextDateLabel(session: CheckoutSession, completed: number): TextKey {
  if (hasTrial(session, completed)) return 'trialEnds'
  const isFirst = hasFutureStart(session, completed)
  if (isCardRequired(session, completed)) return isFirst ? 'firstPayment' : 'nextPayment'
  return isFirst ? 'firstInvoice' : 'nextInvoice'
}

function getSubscribedText(
  session: CheckoutSession,
  { invoice, payment }: Receipt,
  completed: number,
): TextKey {
  // The first payment of an unpaid session is a debit.
  if (session.payment !== null && payment === null)
    return invoice?.last_payment_error ? 'debitFailedText' : 'debitSubmittedText'
  if (session.payment_status === 'paid' || payment !== null) return 'firstPaymentWentThrough'
  if (session.payment_status === 'unpaid') return 'firstInvoiceSent'
  if (hasTrial(session, completed)) return 'trialStarted'
  if (!isCardRequired(session, completed)) return 'invoicesCome'
  return hasFutureStart(session, completed) ? 'cardSavedForStart' : 'cardSaved'
}

import type { AnySession } from '../../domain/any-session.ts'
import type { CheckoutSession } from '../../domain/checkout-sessions.ts'
import { hasFutureStart, hasTrial } from '../../domain/checkout-start.ts'
import type { PaymentSession } from '../../domain/payment-sessions.ts'
import { isCardRequired } from '../../domain/session-submission.ts'
import type { Language } from '../languages/language.ts'
import type { TextKey } from '../languages/messages.ts'
import { type Html, html } from '../markup/html.ts'
import { isolateText } from '../view/isolate-text.ts'
import { truncateText } from '../view/layout.ts'
import type { PageView } from '../view/page-view.ts'
import { getReturnTarget, type ReturnTarget } from '../view/return-url.ts'
import { describeInterval, nextPeriodStart } from '../view/terms.ts'
import { type StatusPageContent, statusPage } from './status-pages.ts'

const REFRESH_SECONDS = 2

/** The part of a result page that depends on the session. */
export type SessionResultContent = Pick<StatusPageContent, 'title' | 'text' | 'details'>

/** Returns the row with the description of a session, if it has one. */
export function describePurpose(session: AnySession, { t }: Language): [name: string, value: Html][] {
  const description = 'description' in session ? session.description : null
  return description === null ? [] : [[t('purpose'), truncateText(description)]]
}

/** Returns the page shown while a charge of an amount is processing. It refreshes itself, also without a script. */
export function processingPage(session: AnySession, amount: number, view: PageView): string {
  const { t } = view.language
  const done = view.links.done(session)
  return statusPage(
    {
      icon: 'waiting',
      title: t('beingProcessed'),
      text: t('bankTakesTime'),
      details: [describeAmount(session, amount, view.language), ...describePurpose(session, view.language)],
      link: html`<p class="aside"><a href="${done}">${t('checkNow')}</a></p>`,
      refresh: { url: done, afterSeconds: REFRESH_SECONDS },
    },
    view,
  )
}

function describeAmount(
  session: AnySession,
  amount: number,
  { t, formatMoney }: Language,
): [name: string, value: string] | null {
  return session.object === 'card_session' ? null : [t('amount'), formatMoney(amount, session.currency)]
}

/** Returns the page after a session was completed and charged an amount. The browser continues to `return_url` automatically. */
export function donePage(
  session: AnySession,
  charged: number,
  view: PageView,
  content = createResultContent(session, charged, view.language),
): string {
  const { language } = view
  const target = getReturnTarget(session)
  const note =
    target && html`<p>${language.tMarkup('returningToMerchant', { host: isolateText(target.host) })}</p>`
  return statusPage(
    {
      icon: 'good',
      ...content,
      link: [note, continueLink(target, language)],
      ...(target && { refresh: { url: target.url, afterSeconds: 0 } }),
    },
    view,
  )
}

/** Returns the page of a session that was already complete. */
export function alreadyDonePage(session: AnySession, charged: number, view: PageView): string {
  const { language } = view
  return statusPage(
    {
      icon: 'good',
      ...createResultContent(session, charged, language),
      title: language.t(getAlreadyDoneTitle(session)),
      text: language.t('alreadyDone'),
      link: continueLink(getReturnTarget(session), language),
    },
    view,
  )
}

function getAlreadyDoneTitle(session: AnySession): TextKey {
  if (session.object === 'card_session') return 'alreadyUpdated'
  return session.payment_status === 'paid' ? 'alreadyPaid' : 'alreadySubscribed'
}

function continueLink(target: ReturnTarget | null, { tMarkup }: Language): Html | null {
  return (
    target &&
    html`<a class="button" href="${target.url}" rel="noreferrer">${tMarkup('continueTo', { host: isolateText(target.host) })}</a>`
  )
}

function createResultContent(session: AnySession, charged: number, language: Language): SessionResultContent {
  switch (session.object) {
    case 'payment_session':
      return createPaidContent(session, language)
    case 'checkout_session':
      return createSubscribedContent(session, charged, language)
    case 'card_session':
      return { title: language.t('cardUpdated'), text: language.t('cardUpdatedText') }
  }
}

function createPaidContent(
  session: PaymentSession,
  { t, formatMoney, formatDate }: Language,
): SessionResultContent {
  const { amount, currency, description, payment, payment_method } = session
  return {
    title: t('paymentReceived'),
    text: t(payment_method ? 'paymentWentThroughCardSaved' : 'paymentWentThrough'),
    details: [
      [t('paid'), formatMoney(amount, currency)],
      [t('date'), formatDate(getCompletionTime(session))],
      description === null ? null : [t('purpose'), truncateText(description)],
      [t('reference'), html`<small>${payment}</small>`],
    ],
  }
}

function createSubscribedContent(
  session: CheckoutSession,
  charged: number,
  language: Language,
): SessionResultContent {
  const { amount_total, currency, description, subscription } = session
  const { t, formatMoney, formatDate } = language
  const completed = getCompletionTime(session)
  const total = formatMoney(amount_total, currency)
  return {
    title: t('subscribed'),
    text: t(getSubscribedText(session, completed)),
    details: [
      [t('paid'), formatMoney(charged, currency)],
      [t(getNextDateLabel(session, completed)), formatDate(nextPeriodStart(session, completed))],
      [t('amount'), t('amountEvery', { total, every: describeInterval(session, language) })],
      [t('purpose'), truncateText(description)],
      [t('reference'), html`<small>${subscription}</small>`],
    ],
  }
}

function getNextDateLabel(session: CheckoutSession, completed: number): TextKey {
  if (hasTrial(session, completed)) return 'trialEnds'
  const isFirst = hasFutureStart(session, completed)
  if (isCardRequired(session, completed)) return isFirst ? 'firstPayment' : 'nextPayment'
  return isFirst ? 'firstInvoice' : 'nextInvoice'
}

function getSubscribedText(session: CheckoutSession, completed: number): TextKey {
  if (session.payment_status === 'paid') return 'firstPaymentWentThrough'
  if (session.payment_status === 'unpaid') return 'firstInvoiceSent'
  if (hasTrial(session, completed)) return 'trialStarted'
  if (!isCardRequired(session, completed)) return 'invoicesCome'
  return hasFutureStart(session, completed) ? 'cardSavedForStart' : 'cardSaved'
}

function getCompletionTime({ completed_at, created }: AnySession): number {
  return completed_at ?? created
}

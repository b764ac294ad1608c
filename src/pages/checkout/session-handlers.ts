import type { CardUpdateRecords } from '../../domain/completion/card-session-completion.ts'
import type { CompletableSession } from '../../domain/completion/hosted-session.ts'
import {
  addEnteredDiscount,
  createOfferFingerprint,
  isCardRequired,
  isDiscountLost,
} from '../../domain/completion/session-offers.ts'
import { type SessionCompletionRecords, submitSession } from '../../domain/completion/session-submission.ts'
import { isDeleted } from '../../domain/core/changes.ts'
import { isPaymentProcessing } from '../../domain/payments/payment-processing.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import type { CheckoutSession } from '../../domain/sessions/checkout-sessions.ts'
import type { Redemption } from '../../domain/sessions/discounts.ts'
import { findSession } from '../../engine/find-session.ts'
import { loadCardUpdateRecords, loadReplacedCards } from '../../engine/load-card-update.ts'
import { loadSessionRedemption } from '../../engine/load-redemption.ts'
import { loadSessionRecords } from '../../engine/load-session-records.ts'
import { loadPendingAuthentication } from '../../engine/pending-authentication.ts'
import { runDueJobs } from '../../engine/real-time-jobs.ts'
import { getTimeReference, loadReferencedTime } from '../../engine/time-reference.ts'
import { ChangedOfferError, type FormSubject, findFormOutcome } from '../forms/form-submission.ts'
import { type PageContext, redirectOrRender, redisplayForm } from '../forms/page-context.ts'
import { type PageResponse, redirectSeeOther } from '../forms/page-response.ts'
import type { CardInput } from '../forms/posted-form.ts'
import { createFormAfterDecline, type RedisplayedForm } from '../forms/redisplayed-form.ts'
import { loadSessionReceipt } from '../receipt/load-receipt.ts'
import {
  createAlreadyCompleteResponse,
  createCompletionResponse,
  createPaidContent,
  createProcessingResponse,
  createSubscribedContent,
  type SessionResultContent,
} from '../status/result-page.ts'
import { createErrorPageResponse, createExpiredResponse } from '../status/status-pages.ts'
import { findReturnTarget } from '../view/return-url.ts'
import { renderCardSessionPage } from './card-session-page.ts'
import { loadCardUpdatedContent } from './card-update-result.ts'
import { type PaymentFormDefinition, showPaymentForm, submitPaymentForm } from './payment-form.ts'
import { renderCheckoutPage, renderPaymentPage } from './session-page.ts'

/** Handles GET of a session: shows the form of an open session, otherwise the result. */
export async function showSession(context: PageContext, session: CompletableSession): Promise<PageResponse> {
  if (session.status === 'open') return showSessionForm(context, session)
  return session.status === 'complete'
    ? createAlreadyCompleteResponse(session, await loadResult(context, session), context.view)
    : createExpiredResponse(session, context.view)
}

/** Handles GET of a session's form with the outcome of an earlier submission. */
export async function showSubmissionOutcome(
  context: PageContext,
  session: CompletableSession,
  nonce: string,
): Promise<PageResponse> {
  if (session.status !== 'open') return showSession(context, session)
  const outcome = await findFormOutcome(context.pages.runtime.store, session.id, nonce)
  const resumed = outcome?.kind === 'declined' ? createFormAfterDecline(outcome) : null
  return showSessionForm({ ...context, resumed }, session)
}

/** Handles GET of the page after completion: the result, which redirects to `return_url`, or the processing page. */
export async function showSessionResult(
  context: PageContext,
  session: CompletableSession,
): Promise<PageResponse> {
  if (session.status === 'open') {
    const { processing } = await loadTimeAndProcessingPayment(context, session)
    if (processing !== null) return createProcessingResponse(session, processing.amount, context.view)
    return (await isAmountChanged(context, session))
      ? showFormWithChangedOffer(context, session)
      : redirectSeeOther(context.view.links.session(session))
  }
  if (session.status === 'expired') return showSession(context, session)
  const target = findReturnTarget(session)
  if (target !== null && !context.wantsHtml) return redirectSeeOther(asciiUrl(target.url))
  return createCompletionResponse(session, await loadResult(context, session), context.view)
}

/** Returns whether the newest payment was canceled because the session would have charged another amount. */
async function isAmountChanged({ pages }: PageContext, { object, id }: CompletableSession): Promise<boolean> {
  if (object === 'card_session') return false
  const { data } = await pages.runtime.store.list('payments', { where: { [object]: id }, limit: 1 })
  return data[0]?.canceled_reason === 'amount_changed'
}

/** Loads the result of a complete session: its receipt, or the saved card with the paid and declined invoices. */
async function loadResult(
  { pages, view }: PageContext,
  session: CompletableSession,
): Promise<SessionResultContent> {
  const { store } = pages.runtime
  if (session.object === 'card_session') return loadCardUpdatedContent(store, session, view)
  const receipt = await loadSessionReceipt(store, session, view)
  return session.object === 'payment_session'
    ? createPaidContent(session, receipt, view.language)
    : createSubscribedContent(session, receipt, view.language)
}

/** Creates the subject of a session's form. `load` resolves with null unless the session is open. */
export function createSessionFormSubject({
  object,
  id,
}: CompletableSession): FormSubject<SessionCompletionRecords> {
  return {
    id,
    async load(reader) {
      const session = await findSession(reader, object, id)
      // Only for an open session is it certain that the customer still exists.
      return session?.status === 'open' ? loadSessionRecords(reader, session) : null
    },
    when: ({ session }) => getTimeReference(session),
  }
}

/** Submits a card to a session and returns the response; the default card is the card in the posted form. */
export async function submitSessionForm(
  context: PageContext,
  session: CompletableSession,
  input?: CardInput,
): Promise<PageResponse> {
  if (session.status !== 'open') return redirectToEnded(context, session)
  const form: PaymentFormDefinition<SessionCompletionRecords> = {
    subject: createSessionFormSubject(session),
    needsCard: (now) => isCardRequired(session, now),
    createOfferFingerprint,
    decide(records, card, ruleContext) {
      const { now } = ruleContext
      if (isDiscountLost(records, now))
        throw new ChangedOfferError('the discount of the session can no longer be redeemed')
      return submitSession(
        { ...records, shownOffer: createOfferFingerprint(records, now) },
        card,
        ruleContext,
      )
    },
    loadTime: async () => (await loadTimeAndProcessingPayment(context, session)).now,
    render: (shown) => showSessionForm(shown, session),
    showResult: (outcome) =>
      outcome === null
        ? showConcurrentEnd(context, session)
        : redirectSeeOther(context.view.links.session(session, '/done')),
    showFinalError({ code }) {
      if (code === 'payment_processing') return showProcessing(context, session)
      if (code === 'payment_method_type_unsupported')
        return redirectSeeOther(context.view.links.session(session))
      return code === `${session.object}_unexpected_state` ? showConcurrentEnd(context, session) : null
    },
  }
  return submitPaymentForm(context, form, input)
}

/** Responds to a form that was submitted while an earlier payment was processing. This form charges nothing. */
async function showProcessing(context: PageContext, session: CompletableSession): Promise<PageResponse> {
  const { view } = context
  const { processing } = await loadTimeAndProcessingPayment(context, session)
  // If the issuer has decided in the meantime, the response redirects to the result page.
  const amount = processing?.amount ?? (await loadCharge(context, session))
  return redirectOrRender(context, view.links.session(session, '/done'), () =>
    createProcessingResponse(session, amount, view, 409),
  )
}

/** Responds to a form whose session was completed or expired after the form was loaded. */
async function showConcurrentEnd(
  context: PageContext,
  { object, id }: CompletableSession,
): Promise<PageResponse> {
  const { runtime } = context.pages
  await runDueJobs(runtime)
  const session = await findSession(runtime.store, object, id)
  return session === null ? createErrorPageResponse(404, context.view) : redirectToEnded(context, session)
}

function redirectToEnded(
  context: PageContext,
  session: CompletableSession,
): PageResponse | Promise<PageResponse> {
  const { links } = context.view
  if (session.status === 'complete') return redirectSeeOther(links.session(session, '/done'))
  return context.wantsHtml ? redirectSeeOther(links.session(session)) : showSession(context, session)
}

/** Shows the form of an open session, or the processing page while its payment is processing. */
export async function showSessionForm(
  context: PageContext,
  session: CompletableSession,
): Promise<PageResponse> {
  const { pages, view } = context
  const { now, processing } = await loadTimeAndProcessingPayment(context, session)
  if (processing !== null) {
    return context.status === undefined
      ? createProcessingResponse(session, processing.amount, view)
      : showProcessing(context, session)
  }
  const { id, test_clock } = session
  const { store } = pages.runtime
  const customer = await store.get('customers', session.customer)
  if (customer === null || isDeleted(customer)) throw new Error(`open ${session.object} without a customer`)
  const update = session.object === 'card_session' ? await loadCardUpdateRecords(store, session) : null
  const { redemption } = await loadSessionRedemption(store, session)
  const offer = createOfferFingerprint({ session, customer, cardUpdate: update, redemption }, now)
  const owner = { id, test_clock, now, offer, path: view.links.session(session) }
  const order = { customer, language: view.language }
  const shown = isDiscountLost({ session, redemption }, now) ? withLostDiscount(context) : context
  return showPaymentForm(shown, owner, async (state) => {
    switch (session.object) {
      case 'checkout_session':
        return renderCheckoutPage(
          { ...order, ...priceOrder(session, redemption, now), redemption },
          state,
          view,
        )
      case 'payment_session':
        return renderPaymentPage({ ...order, session }, state, view)
      case 'card_session': {
        const paid = update ?? NO_UPDATE
        const replaced = await loadReplacedCards(store, session, customer, paid.subscriptions)
        return renderCardSessionPage({ ...order, session, update: paid, replaced }, state, view)
      }
    }
  })
}

// The session has lost its discount, so its forms always fail. The page asks the customer to get a new link.
function withLostDiscount(context: PageContext): PageContext {
  const why = context.resumed?.reason.why ?? 'changed'
  return why === 'changed' ? { ...context, resumed: { reason: { why: 'discount' } } } : context
}

/** Returns a session with its current discount, and the coupon of this discount. */
function priceOrder(session: CheckoutSession, redemption: Redemption | null, now: number) {
  const priced = addEnteredDiscount(session, redemption, now)
  const coupon = redemption === null || isDeleted(redemption.coupon) ? null : redemption.coupon
  return { session: priced, coupon: priced.discounts.length === 0 ? null : coupon }
}

const NO_UPDATE: CardUpdateRecords = { subscriptions: [], invoices: [] }

/** Shows the form of an open session again, because the form would have charged an amount that its page did not show. */
export function showFormWithChangedOffer(
  context: PageContext,
  session: CompletableSession,
): PageResponse | Promise<PageResponse> {
  return redisplaySessionForm(context, session, { reason: { why: 'changed' } })
}

/** Shows the form of an open session again after a POST to another path. */
export function redisplaySessionForm(
  context: PageContext,
  session: CompletableSession,
  resumed: RedisplayedForm,
): PageResponse | Promise<PageResponse> {
  const [path = ''] = context.view.links.session(session).split('?')
  return redisplayForm({ ...context, path }, resumed, (shown) => showSessionForm(shown, session))
}

/** Returns the amount that a complete session charged, in minor units; 0 without a charge. */
async function loadCharge({ pages }: PageContext, session: CompletableSession): Promise<number> {
  const payment = 'payment' in session ? session.payment : null
  const charged = payment === null ? null : await pages.runtime.store.get('payments', payment)
  return charged?.amount ?? 0
}

/** Loads the time of an open session, and the payment that waits for the issuer's decision, or null. */
export async function loadTimeAndProcessingPayment(
  { pages: { runtime } }: PageContext,
  session: CompletableSession,
): Promise<{ readonly now: number; readonly processing: Payment | null }> {
  // Rejects when the test clock of the session is advancing, failed or deleted.
  const now = await loadReferencedTime(getTimeReference(session), runtime.store, runtime.wallNow())
  const { payment } = await loadPendingAuthentication(runtime.store, session.id)
  return { now, processing: isPaymentProcessing(payment) ? payment : null }
}

/** Converts a URL to ASCII, because a header may contain only ASCII characters. */
function asciiUrl(url: string): string {
  return /^[!-~]+$/.test(url) ? url : new URL(url).href
}

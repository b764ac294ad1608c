import { findSession } from '../../engine/find-session.ts'
import { ChangedOfferError } from '../forms/form-submission.ts'
import { createFormNotice } from '../forms/notices.ts'
import {
  issueFormToken,
  type PageContext,
  redirectOrRender,
  redisplayForm,
  verifyPostedToken,
} from '../forms/page-context.ts'
import { createHtmlResponse, type PageResponse, redirectSeeOther } from '../forms/page-response.ts'
import { getFormField } from '../forms/posted-form.ts'
import { createErrorPageResponse } from '../status/status-pages.ts'
import { createPaymentThreeDSecureFlow } from './payment-flow.ts'
import { createSessionThreeDSecureFlow } from './session-flow.ts'
import type { ThreeDSecureFlow } from './three-d-secure-flow.ts'
import { renderThreeDSecurePage } from './three-d-secure-page.ts'

/** Handles GET of a 3-D Secure page. `target` is the id of a payment, or of a session that only saves a card. */
export async function showChallenge(context: PageContext, target: string): Promise<PageResponse> {
  const confirmation = await findConfirmation(context, target)
  if (confirmation === null) return createErrorPageResponse(404, context.view)
  return renderChallenge(context, target, confirmation)
}

/** Handles POST of the customer's decision. Redirects to the result. */
export async function postChallenge(context: PageContext, target: string): Promise<PageResponse> {
  const confirmation = await findConfirmation(context, target)
  if (confirmation === null) return createErrorPageResponse(404, context.view)
  const redisplay = (why: 'unverified' | 'unchosen') =>
    redisplayForm(context, { reason: { why } }, (shown) => renderChallenge(shown, target, confirmation))
  const token = verifyPostedToken(context, target)
  if (token === null) return redisplay('unverified')
  const answer = getFormField(context.form, 'answer')
  if (answer !== 'approve' && answer !== 'reject') return redisplay('unchosen')
  const { nonce } = token
  try {
    const outcome = await confirmation.submit({ nonce, isApproved: answer === 'approve' })
    if (outcome !== null) return redirectSeeOther(confirmation.getNextPath(outcome, nonce))
  } catch (error) {
    if (!(error instanceof ChangedOfferError) || confirmation.showChanged === undefined) throw error
    return confirmation.showChanged()
  }
  return redirectOrRender(context, context.view.links.threeDSecure(target), confirmation.showEnded)
}

/** Handles GET of the result of a confirmation. */
export async function showThreeDSecureResult(context: PageContext, target: string): Promise<PageResponse> {
  const confirmation = await findConfirmation(context, target)
  return confirmation === null ? createErrorPageResponse(404, context.view) : confirmation.showResult()
}

async function findConfirmation(context: PageContext, target: string): Promise<ThreeDSecureFlow | null> {
  const { store } = context.pages.runtime
  const payment = await store.get('payments', target)
  const session = payment?.payment_session
    ? await findSession(store, 'payment_session', payment.payment_session)
    : ((await findSession(store, 'checkout_session', payment?.checkout_session ?? target)) ??
      (await findSession(store, 'card_session', target)))
  if (session !== null) return createSessionThreeDSecureFlow(context, session, target, payment)
  if (payment === null) return null
  if (payment.origin === 'api') return createPaymentThreeDSecureFlow(context, payment, null)
  const invoice = payment.invoice && (await store.get('invoices', payment.invoice))
  return invoice ? createPaymentThreeDSecureFlow(context, payment, invoice) : null
}

async function renderChallenge(
  { pages, view, resumed, status = 200 }: PageContext,
  target: string,
  confirmation: ThreeDSecureFlow,
): Promise<PageResponse> {
  const challenge = await confirmation.loadChallenge()
  if (challenge === null) return confirmation.showEnded()
  const token = issueFormToken(pages, target)
  const notice = createFormNotice(resumed?.reason, view.language)
  return createHtmlResponse(view, status, renderThreeDSecurePage(challenge, { token, notice }, view))
}

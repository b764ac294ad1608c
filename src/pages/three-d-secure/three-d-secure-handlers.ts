import { findSession } from '../../engine/find-session.ts'
import { ChangedOfferError } from '../forms/form-submission.ts'
import { createNotice } from '../forms/notices.ts'
import {
  issueFormToken,
  type PageContext,
  type RenderFormOptions,
  readPostedToken,
  redirectOrRender,
  redisplayForm,
} from '../forms/page-context.ts'
import { htmlResponse, type PageResponse, seeOther } from '../forms/page-response.ts'
import { getField } from '../forms/posted-form.ts'
import { failureResponse } from '../status/status-pages.ts'
import type { ThreeDSecureConfirmation } from './confirmation.ts'
import { createPaymentConfirmation } from './payment-confirmation.ts'
import { createSessionConfirmation } from './session-confirmation.ts'
import { renderThreeDSecurePage } from './three-d-secure-page.ts'

/** Handles GET of a 3-D Secure page. `target` is the id of a payment, or of a session that only saves a card. */
export async function showChallenge(context: PageContext, target: string): Promise<PageResponse> {
  const confirmation = await findConfirmation(context, target)
  if (confirmation === null) return failureResponse(404, context.view)
  return renderChallenge(context, target, confirmation, context)
}

/** Handles POST of the customer's decision. Redirects to the result. */
export async function postChallenge(context: PageContext, target: string): Promise<PageResponse> {
  const confirmation = await findConfirmation(context, target)
  if (confirmation === null) return failureResponse(404, context.view)
  const redisplay = (why: 'unverified' | 'unchosen') => {
    const resumed = { reason: { why } }
    return redisplayForm(context, resumed, (status) =>
      renderChallenge(context, target, confirmation, { resumed, status }),
    )
  }
  const token = readPostedToken(context, target)
  if (token === null) return redisplay('unverified')
  const answer = getField(context.form, 'answer')
  if (answer !== 'approve' && answer !== 'reject') return redisplay('unchosen')
  const { nonce } = token
  try {
    const outcome = await confirmation.submit({ nonce, isApproved: answer === 'approve' })
    if (outcome !== null) return seeOther(confirmation.getNextPath(outcome, nonce))
  } catch (error) {
    if (!(error instanceof ChangedOfferError) || confirmation.showChanged === undefined) throw error
    return confirmation.showChanged()
  }
  return redirectOrRender(context, context.view.links.threeDSecure(target), () =>
    htmlResponse(context.view, 410, confirmation.renderEndedPage()),
  )
}

/** Handles GET of the result of a confirmation. */
export async function showConfirmationResult(context: PageContext, target: string): Promise<PageResponse> {
  const confirmation = await findConfirmation(context, target)
  return confirmation === null ? failureResponse(404, context.view) : confirmation.showResult()
}

async function findConfirmation(
  context: PageContext,
  target: string,
): Promise<ThreeDSecureConfirmation | null> {
  const { store } = context.pages.runtime
  const payment = await store.get('payments', target)
  const session = payment?.payment_session
    ? await findSession(store, 'payment_session', payment.payment_session)
    : ((await findSession(store, 'checkout_session', payment?.checkout_session ?? target)) ??
      (await findSession(store, 'card_session', target)))
  if (session !== null) return createSessionConfirmation(context, session, target, payment)
  if (payment === null) return null
  if (payment.origin === 'api') return createPaymentConfirmation(context, payment, null)
  const invoice = payment.invoice && (await store.get('invoices', payment.invoice))
  return invoice ? createPaymentConfirmation(context, payment, invoice) : null
}

async function renderChallenge(
  { pages, view }: PageContext,
  target: string,
  confirmation: ThreeDSecureConfirmation,
  { resumed, status = 200 }: RenderFormOptions,
): Promise<PageResponse> {
  const challenge = await confirmation.loadChallenge()
  if (challenge === null) return htmlResponse(view, 410, confirmation.renderEndedPage())
  const token = issueFormToken(pages, target)
  const notice = createNotice(resumed?.reason, view.language)
  return htmlResponse(view, status, renderThreeDSecurePage(challenge, { token, notice }, view))
}

import type { Invoice } from '../../domain/invoices.ts'
import type { Payment } from '../../domain/payments.ts'
import { findSession } from '../forms/form-subjects.ts'
import { htmlResponse, type PageResponse, seeOther } from '../forms/http.ts'
import { createNotice } from '../forms/notices.ts'
import {
  issueToken,
  type PageContext,
  type RenderFormOptions,
  readPostedToken,
  redirectOrRender,
  redisplayForm,
} from '../forms/page-context.ts'
import { getField } from '../forms/posted-form.ts'
import { notFoundPage } from '../status/status-pages.ts'
import type { AnySession } from '../view/links.ts'
import type { Confirmation } from './confirmation.ts'
import { createInvoiceConfirmation, showInvoiceConfirmationResult } from './invoice-confirmation.ts'
import { createSessionConfirmation } from './session-confirmation.ts'
import { threeDSecurePage } from './three-d-secure-page.ts'

/** GET of a 3-D Secure page. The target is a payment, or a checkout session that only saves a card. */
export async function showChallenge(context: PageContext, target: string): Promise<PageResponse> {
  const confirmation = await findConfirmation(context, target)
  if (confirmation === null) return htmlResponse(404, notFoundPage(context.view))
  return renderChallenge(context, target, confirmation, context)
}

/** POST of the customer's answer. Redirects to the result. */
export async function postChallenge(context: PageContext, target: string): Promise<PageResponse> {
  const { form, view } = context
  const confirmation = await findConfirmation(context, target)
  if (confirmation === null) return htmlResponse(404, notFoundPage(view))
  const token = readPostedToken(context, target)
  const answer = getField(form, 'answer')
  if (token === null) return redisplayChallenge(context, target, confirmation, 'unverified')
  if (answer !== 'approve' && answer !== 'reject')
    return redisplayChallenge(context, target, confirmation, 'unchosen')
  const { nonce } = token
  const outcome = await confirmation.submit({ nonce, isApproved: answer === 'approve' })
  if (outcome !== null) return seeOther(confirmation.getNextPath(outcome, nonce))
  return redirectOrRender(context, view.links.threeDSecure(target), () =>
    htmlResponse(410, confirmation.renderEndedPage()),
  )
}

/** GET of the result of a confirmation. */
export async function showConfirmationResult(context: PageContext, target: string): Promise<PageResponse> {
  const owner = await findChallengeOwner(context, target)
  if (owner === null) return htmlResponse(404, notFoundPage(context.view))
  if ('session' in owner) return seeOther(context.view.links.done(owner.session))
  return showInvoiceConfirmationResult(context, owner.invoice, owner.payment)
}

/** The session or invoice that a 3-D Secure challenge belongs to. */
type ChallengeOwner =
  | { readonly session: AnySession }
  | { readonly invoice: Invoice; readonly payment: Payment }

async function findChallengeOwner({ pages }: PageContext, target: string): Promise<ChallengeOwner | null> {
  const { store } = pages.runtime
  const payment = await store.get('payments', target)
  const session = payment?.payment_session
    ? await findSession(store, 'payment_session', payment.payment_session)
    : await findSession(store, 'checkout_session', payment?.checkout_session ?? target)
  if (session !== null) return { session }
  const invoice = payment?.invoice ? await store.get('invoices', payment.invoice) : null
  return payment === null || invoice === null ? null : { invoice, payment }
}

async function findConfirmation(context: PageContext, target: string): Promise<Confirmation | null> {
  const owner = await findChallengeOwner(context, target)
  if (owner === null) return null
  return 'session' in owner
    ? createSessionConfirmation(context, owner.session, target)
    : createInvoiceConfirmation(context, owner.invoice, owner.payment)
}

function redisplayChallenge(
  context: PageContext,
  target: string,
  confirmation: Confirmation,
  why: 'unverified' | 'unchosen',
): PageResponse | Promise<PageResponse> {
  const resumed = { reason: { why } }
  return redisplayForm(context, resumed, (status) =>
    renderChallenge(context, target, confirmation, { resumed, status }),
  )
}

async function renderChallenge(
  { pages, view }: PageContext,
  target: string,
  confirmation: Confirmation,
  { resumed, status = 200 }: RenderFormOptions,
): Promise<PageResponse> {
  const challenge = await confirmation.loadChallenge()
  if (challenge === null) return htmlResponse(410, confirmation.renderEndedPage())
  const token = issueToken(pages, target)
  const notice = createNotice(resumed?.reason, view.language)
  return htmlResponse(status, threeDSecurePage(challenge, { token, notice }, view))
}

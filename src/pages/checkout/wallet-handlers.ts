import type { CompletableSession } from '../../domain/completion/hosted-session.ts'
import {
  createOfferFingerprint,
  getSessionCharge,
  isCardRequired,
} from '../../domain/completion/session-offers.ts'
import { isDeleted } from '../../domain/core/changes.ts'
import { createWalletCard } from '../../domain/payments/wallet.ts'
import { isWalletOffered } from '../../domain/sessions/payment-method-types.ts'
import { loadSessionRedemption } from '../../engine/load-redemption.ts'
import { createFormNotice } from '../forms/notices.ts'
import { issueFormToken, type PageContext } from '../forms/page-context.ts'
import { createHtmlResponse, type PageResponse, redirectSeeOther } from '../forms/page-response.ts'
import { EMPTY_FIELDS, getFormField } from '../forms/posted-form.ts'
import { loadTimeAndProcessingPayment, showSession, submitSessionForm } from './session-handlers.ts'
import { renderWalletSheet } from './wallet-sheet.ts'

/** Handles GET of the wallet's sheet. For a session that is no longer open, returns its result. */
export async function showWallet(context: PageContext, session: CompletableSession): Promise<PageResponse> {
  const { pages, view, resumed } = context
  if (session.status !== 'open') return showSession(context, session)
  const { now, processing } = await loadTimeAndProcessingPayment(context, session)
  if (processing !== null) return showSession(context, session)
  const customer = await pages.runtime.store.get('customers', session.customer)
  const isPayable = customer !== null && !isDeleted(customer) && isCardRequired(session, now)
  if (!isPayable || session.object === 'card_session' || !isWalletOffered(session))
    return redirectSeeOther(view.links.session(session))
  const { redemption } = await loadSessionRedemption(pages.runtime.store, session)
  const offer = createOfferFingerprint({ session, customer, cardUpdate: null, redemption }, now)
  const amount = getSessionCharge({ session, customer, redemption }, now)
  const token = issueFormToken(pages, session.id, offer)
  const notice = createFormNotice(resumed?.reason, view.language)
  return createHtmlResponse(view, 200, renderWalletSheet(session, amount, { token, notice }, view))
}

/** Handles POST of the customer's decision. Any value other than an approval or a decline has no effect. */
export async function postWalletDecision(
  context: PageContext,
  session: CompletableSession,
): Promise<PageResponse> {
  const answer = getFormField(context.form, 'answer')
  const isDecision = answer === 'approve' || answer === 'decline'
  if (!isDecision || !isWalletOffered(session)) return redirectSeeOther(context.view.links.session(session))
  const now =
    session.status === 'open'
      ? (await loadTimeAndProcessingPayment(context, session)).now
      : session.expires_at
  const card = createWalletCard(answer, { now })
  // After a decline, the path of the session shows the form with the card fields.
  const path = context.path.replace(/\/wallet$/, '')
  return submitSessionForm({ ...context, path }, session, { card, prefilled: EMPTY_FIELDS, errors: [] })
}

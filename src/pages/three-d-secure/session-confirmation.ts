import type { AnySession } from '../../domain/completion/any-session.ts'
import { hasChangedOffer } from '../../domain/completion/session-offers.ts'
import { completeAuthentication, type SessionRecords } from '../../domain/completion/session-submission.ts'
import { DomainError } from '../../domain/core/domain-error.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import type { FormOutcome } from '../../domain/requests/used-form-tokens.ts'
import { loadPendingAuthentication } from '../../engine/pending-authentication.ts'
import { createSessionSubject, showFormWithChangedOffer } from '../checkout/session-handlers.ts'
import { ChangedOfferError, submitFormOnce } from '../forms/form-submission.ts'
import type { PageContext } from '../forms/page-context.ts'
import { seeOther } from '../forms/page-response.ts'
import { descriptionRow } from '../status/result-page.ts'
import { endedChallengePage } from '../status/status-pages.ts'
import type { ChallengeResult, ThreeDSecureConfirmation } from './confirmation.ts'
import type { ThreeDSecureChallenge } from './three-d-secure-page.ts'

/**
 * Creates the confirmation of a session's payment or saved card, at `/3ds/<target>`. `target` is the id of the payment,
 * or the id of the session if the card is only saved.
 */
export function createSessionConfirmation(
  context: PageContext,
  session: AnySession,
  target: string,
  payment: Payment | null,
): ThreeDSecureConfirmation {
  const { view } = context
  const { links } = view
  return {
    loadChallenge: () => loadChallenge(context, session, target),
    submit: (result) => submitResult(context, session, target, result),
    getNextPath: ({ kind }, nonce) =>
      kind === 'declined' ? links.attempt(session, nonce) : links.done(session),
    renderEndedPage: () => endedChallengePage(session, payment, view),
    showResult: () => seeOther(links.done(session)),
    showChanged: () => showFormWithChangedOffer(context, session),
  }
}

type AuthenticationState = Pick<SessionRecords, 'session' | 'authentication' | 'pendingPayment'>

/** Returns false when the session is complete or expired, or when the customer has entered another card. */
function isTargetPending(
  { session, authentication, pendingPayment }: AuthenticationState,
  target: string,
): boolean {
  const isPending = pendingPayment === null || pendingPayment.status === 'requires_action'
  return (
    session.status === 'open' &&
    authentication !== null &&
    isPending &&
    (authentication.payment ?? session.id) === target
  )
}

async function loadChallenge(
  { pages, view }: PageContext,
  session: AnySession,
  target: string,
): Promise<ThreeDSecureChallenge | null> {
  const { authentication, payment } = await loadPendingAuthentication(pages.runtime.store, session.id)
  if (
    authentication === null ||
    !isTargetPending({ session, authentication, pendingPayment: payment }, target)
  )
    return null
  return {
    target,
    amount: payment?.amount ?? 0,
    currency: 'currency' in session ? session.currency : null,
    card: authentication.card,
    details: descriptionRow(session, view.language),
    otherCardPath: view.links.session(session),
  }
}

async function submitResult(
  { pages }: PageContext,
  session: AnySession,
  target: string,
  { nonce, isApproved }: ChallengeResult,
): Promise<FormOutcome | null> {
  try {
    return await submitFormOnce(pages.runtime, {
      subject: createSessionSubject(session),
      nonce,
      decide(records, ruleContext) {
        if (!isTargetPending(records, target)) return null
        if (isApproved && hasChangedOffer(records, ruleContext.now))
          throw new ChangedOfferError('3-D Secure was for something else than the session now charges')
        return completeAuthentication(records, isApproved, ruleContext)
      },
      getLast4: ({ authentication }) => authentication?.card.last4 ?? '',
    })
  } catch (error) {
    // The session expired after it was loaded.
    if (error instanceof DomainError && error.code === `${session.object}_unexpected_state`) return null
    throw error
  }
}

import type { CompletableSession } from '../../domain/completion/hosted-session.ts'
import { hasChangedOffer } from '../../domain/completion/session-offers.ts'
import {
  completeSessionAuthentication,
  type SessionCompletionRecords,
} from '../../domain/completion/session-submission.ts'
import { DomainError } from '../../domain/core/domain-error.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import type { FormOutcome } from '../../domain/requests/used-form-tokens.ts'
import { loadPendingAuthentication } from '../../engine/pending-authentication.ts'
import { createSessionFormSubject, showFormWithChangedOffer } from '../checkout/session-handlers.ts'
import { ChangedOfferError, submitFormOnce } from '../forms/form-submission.ts'
import type { PageContext } from '../forms/page-context.ts'
import { redirectSeeOther } from '../forms/page-response.ts'
import { listDescriptionRows } from '../status/result-page.ts'
import { createEndedChallengeResponse } from '../status/status-pages.ts'
import type { ChallengeDecision, ThreeDSecureFlow } from './three-d-secure-flow.ts'
import type { ThreeDSecurePageContent } from './three-d-secure-page.ts'

/**
 * Creates the confirmation of a session's payment or saved card, at `/3ds/<target>`. `target` is the id of the payment,
 * or the id of the session if the card is only saved.
 */
export function createSessionThreeDSecureFlow(
  context: PageContext,
  session: CompletableSession,
  target: string,
  payment: Payment | null,
): ThreeDSecureFlow {
  const { view } = context
  const { links } = view
  return {
    loadChallenge: () => loadChallenge(context, session, target),
    submit: (result) => submitResult(context, session, target, result),
    getNextPath: ({ kind }, nonce) =>
      kind === 'declined' ? links.session(session, `/attempts/${nonce}`) : links.session(session, '/done'),
    showEnded: () => createEndedChallengeResponse(session, payment, view),
    showResult: () => redirectSeeOther(links.session(session, '/done')),
    showChanged: () => showFormWithChangedOffer(context, session),
  }
}

type AuthenticationState = Pick<SessionCompletionRecords, 'session' | 'authentication' | 'pendingPayment'>

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
  session: CompletableSession,
  target: string,
): Promise<ThreeDSecurePageContent | null> {
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
    details: listDescriptionRows(session, view.language),
    otherCardPath: view.links.session(session),
  }
}

async function submitResult(
  { pages }: PageContext,
  session: CompletableSession,
  target: string,
  { nonce, isApproved }: ChallengeDecision,
): Promise<FormOutcome | null> {
  try {
    return await submitFormOnce(pages.runtime, {
      subject: createSessionFormSubject(session),
      nonce,
      decide(records, ruleContext) {
        if (!isTargetPending(records, target)) return null
        if (isApproved && hasChangedOffer(records, ruleContext.now))
          throw new ChangedOfferError('3-D Secure was for something else than the session now charges')
        return completeSessionAuthentication(records, isApproved, ruleContext)
      },
      getLast4: ({ authentication }) => authentication?.card.last4 ?? '',
    })
  } catch (error) {
    // The session expired between the load and the submission.
    if (error instanceof DomainError && error.code === `${session.object}_unexpected_state`) return null
    throw error
  }
}

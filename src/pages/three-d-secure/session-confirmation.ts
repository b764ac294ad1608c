import { type Attempt, answerChallenge } from '../../domain/card-submission.ts'
import { DomainError } from '../../domain/domain-error.ts'
import type { FormOutcome } from '../../domain/form-tokens.ts'
import { loadWaiting } from '../../engine/waiting.ts'
import { sessionSubject } from '../forms/form-targets.ts'
import type { Visit } from '../forms/handlers.ts'
import { askerOf } from '../forms/merchant-name.ts'
import { submitOnce } from '../forms/submission.ts'
import { notWaitingPage } from '../status/closed-pages.ts'
import { shortened } from '../view/layout.ts'
import type { AnySession } from '../view/links.ts'
import type { Answer, Confirmation } from './confirmation.ts'
import type { Challenge } from './three-d-secure-page.ts'

/** What the buyer of a session confirms at `/3ds/<target>`. */
export function sessionConfirmation(visit: Visit, session: AnySession, target: string): Confirmation {
  const { view } = visit
  const { links } = view
  return {
    challenge: () => challengeOf(visit, session, target),
    answer: (answer) => answerOnce(visit, { session, target }, answer),
    next: ({ kind }, nonce) => (kind === 'refused' ? links.attempt(session, nonce) : links.done(session)),
    gone: () => notWaitingPage(session, view),
  }
}

type Waiting = Pick<Attempt, 'session' | 'waiting' | 'waitingPayment'>

/** The same page is of no use any more when another card was used, or the session ended. */
function isWaitingFor({ session, waiting, waitingPayment }: Waiting, target: string): boolean {
  const isAsked = waitingPayment === null || waitingPayment.status === 'requires_action'
  return (
    session.status === 'open' && waiting !== null && isAsked && (waiting.payment ?? session.id) === target
  )
}

async function challengeOf(
  { pages, view }: Visit,
  session: AnySession,
  target: string,
): Promise<Challenge | null> {
  const { authentication: waiting, payment } = await loadWaiting(pages.runtime.store, session.id)
  if (waiting === null || !isWaitingFor({ session, waiting, waitingPayment: payment }, target)) return null
  const { currency, description } = session
  return {
    target,
    amount: payment?.amount ?? 0,
    currency,
    card: waiting.card,
    asker: askerOf(session, view),
    details: description === null ? [] : [[view.language.say('purpose'), shortened(description)]],
    otherCard: view.links.session(session),
  }
}

async function answerOnce(
  { pages }: Visit,
  { session, target }: { readonly session: AnySession; readonly target: string },
  { nonce, isApproved }: Answer,
): Promise<FormOutcome | null> {
  try {
    return await submitOnce(pages.runtime, {
      subject: sessionSubject(session),
      nonce,
      act: (attempt, context) =>
        isWaitingFor(attempt, target) ? answerChallenge(attempt, isApproved, context) : null,
      last4: ({ waiting }) => waiting?.card.last4 ?? '',
    })
  } catch (error) {
    // The session ran out of time in this very second.
    if (error instanceof DomainError && error.code === `${session.object}_unexpected_state`) return null
    throw error
  }
}

import { type Attempt, answerChallenge } from '../domain/card-submission.ts'
import type { FormOutcome } from '../domain/form-tokens.ts'
import { Refusal } from '../domain/refusal.ts'
import { loadWaiting } from '../engine/waiting.ts'
import type { Notice } from './card-form.ts'
import { notFoundPage, notWaitingPage } from './closed-pages.ts'
import { fieldOf } from './entered-card.ts'
import { type PageAnswer, page, seeOther } from './exchange.ts'
import { createFormToken, readFormToken } from './form-token.ts'
import type { AnySession } from './links.ts'
import { UNVERIFIED, type Visit } from './session-visits.ts'
import { findSession, submitOnce } from './submission.ts'
import { threeDSecurePage } from './three-d-secure-page.ts'

const UNDECIDED: Notice = { title: 'Choose one', text: 'Press Approve or Reject.' }

/** GET of a 3-D Secure page, whose target is a payment, or a checkout session that only saves a card. */
export async function showChallenge(visit: Visit, target: string): Promise<PageAnswer> {
  return challenge(visit, target, { status: 200, notice: null })
}

/** POST of the buyer's answer: on to the thanks, or back to the form. */
export async function postChallenge(visit: Visit, target: string): Promise<PageAnswer> {
  const { pages, form, links } = visit
  const session = await sessionOf(visit, target)
  if (session === null) return page(404, notFoundPage(links))
  const token = readFormToken(
    fieldOf(form, 'form_token'),
    { sessionId: target, now: pages.runtime.wallNow() },
    pages.formKey,
  )
  const answer = fieldOf(form, 'answer')
  if (token === null) return challenge(visit, target, { status: 422, notice: UNVERIFIED })
  if (answer !== 'approve' && answer !== 'reject') {
    return challenge(visit, target, { status: 422, notice: UNDECIDED })
  }
  const { nonce } = token
  const outcome = await answerOnce(visit, session, { target, nonce, isApproved: answer === 'approve' })
  if (outcome === null) return notWaiting(visit, session)
  return seeOther(outcome.kind === 'refused' ? links.attempt(session, nonce) : links.done(session))
}

interface Answer {
  readonly target: string
  readonly nonce: string
  readonly isApproved: boolean
}

async function answerOnce(
  { pages }: Visit,
  session: AnySession,
  { target, nonce, isApproved }: Answer,
): Promise<FormOutcome | null> {
  try {
    return await submitOnce(pages.runtime, {
      session,
      nonce,
      act: (attempt, world) =>
        isWaitingFor(attempt, target) ? answerChallenge(attempt, isApproved, world) : null,
      last4: ({ waiting }) => waiting?.card.last4 ?? '',
    })
  } catch (error) {
    // The session ran out of time in this very second.
    if (error instanceof Refusal && error.code === `${session.object}_unexpected_state`) return null
    throw error
  }
}

function isWaitingFor({ session, waiting }: Pick<Attempt, 'session' | 'waiting'>, target: string): boolean {
  return session.status === 'open' && waiting !== null && (waiting.payment ?? session.id) === target
}

async function sessionOf({ pages }: Visit, target: string): Promise<AnySession | null> {
  const { store } = pages.runtime
  const payment = await store.get('payments', target)
  if (payment?.payment_session) return findSession(store, 'payment_session', payment.payment_session)
  return findSession(store, 'checkout_session', payment?.checkout_session ?? target)
}

async function challenge(
  visit: Visit,
  target: string,
  { status, notice }: { readonly status: number; readonly notice: Notice | null },
): Promise<PageAnswer> {
  const { pages, links } = visit
  const session = await sessionOf(visit, target)
  if (session === null) return page(404, notFoundPage(links))
  const { authentication: waiting, payment } = await loadWaiting(pages.runtime.store, session.id)
  if (waiting === null || !isWaitingFor({ session, waiting }, target)) return notWaiting(visit, session)
  const rendered = { sessionId: target, nonce: pages.newNonce(), issuedAt: pages.runtime.wallNow() }
  const token = createFormToken(rendered, pages.formKey)
  const asked = { session, target, amount: payment?.amount ?? 0, card: waiting.card }
  return page(status, threeDSecurePage(asked, { token, notice }, links))
}

async function notWaiting({ links }: Visit, session: AnySession): Promise<PageAnswer> {
  return page(410, notWaitingPage(session, links))
}

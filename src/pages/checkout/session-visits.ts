import { checkCard, normalizeCardNumber } from '../../domain/card-checks.ts'
import { isCardAsked, submitEntered } from '../../domain/card-submission.ts'
import { isDeleted } from '../../domain/customers.ts'
import { DomainError } from '../../domain/domain-error.ts'
import type { FormOutcome } from '../../domain/form-tokens.ts'
import { SLOW_SECONDS } from '../../domain/test-cards.ts'
import { drainDeadlines } from '../../engine/real-time.ts'
import { fieldOf, type KeptFields, readTypedCard } from '../forms/entered-card.ts'
import { findSession, sessionSubject } from '../forms/form-targets.ts'
import { createFormToken, readFormToken } from '../forms/form-token.ts'
import { type Shown, showAgain, showInstead, type Visit } from '../forms/handlers.ts'
import { type PageAnswer, page, seeOther } from '../forms/http.ts'
import { askerOf } from '../forms/merchant-name.ts'
import { formState } from '../forms/notices.ts'
import { pauseOf, type Resumed, resumedAfter, resumedAfterDecline } from '../forms/resumed-form.ts'
import { standingOf } from '../forms/session-state.ts'
import { pastOutcome, submitOnce } from '../forms/submission.ts'
import { expiredPage, notFoundPage, tooManyDeclines } from '../status/closed-pages.ts'
import { processingPage } from '../status/processing-page.ts'
import { alreadyDonePage, donePage } from '../status/result-page.ts'
import type { AnySession } from '../view/links.ts'
import { returnTarget } from '../view/return-url.ts'
import type { View } from '../view/view.ts'
import { checkoutPage } from './checkout-page.ts'
import { paymentPage } from './payment-page.ts'

/** GET of a session: the form while it is open, how it ended afterwards. */
export async function showSession(visit: Visit, session: AnySession): Promise<PageAnswer> {
  return session.status === 'open' ? openForm(visit, session, visit) : page(...ended(session, visit.view))
}

/** GET of a session's form with the outcome of an earlier submission above it. */
export async function showAttempt(visit: Visit, session: AnySession, nonce: string): Promise<PageAnswer> {
  if (session.status !== 'open') return showSession(visit, session)
  const outcome = await pastOutcome(visit.pages.runtime.store, session.id, nonce)
  return openForm(visit, session, {
    resumed: outcome?.kind === 'refused' ? resumedAfterDecline(outcome) : null,
  })
}

/** GET of the page after completing: thanks, and on to `return_url`; a wait while the issuer still thinks. */
export async function showDone(visit: Visit, session: AnySession): Promise<PageAnswer> {
  if (session.status === 'open') {
    const { isProcessing } = await standingOf(visit.pages.runtime, session)
    return isProcessing
      ? page(200, processingPage(session, visit.view))
      : seeOther(visit.view.links.session(session))
  }
  if (session.status === 'expired') return showSession(visit, session)
  const target = returnTarget(session)
  if (target !== null && !visit.wantsHtml) return seeOther(asciiUrl(target.url))
  return page(200, donePage(session, visit.view))
}

/** POST of a session's form. */
export async function postSession(visit: Visit, session: AnySession): Promise<PageAnswer> {
  if (session.status !== 'open') return afterEnd(visit, session)
  const { pages, form } = visit
  const typed = readTypedCard(form)
  const { kept } = typed
  const rendered = { sessionId: session.id, now: pages.runtime.wallNow() }
  const token = readFormToken(fieldOf(form, 'form_token'), rendered, pages.formKey)
  if (token === null) return showFormAgain(visit, session, { reason: { why: 'unverified' }, kept })
  if (isCardAsked(session) && typed.problems.length > 0) {
    const { now } = await standingOf(pages.runtime, session)
    const problems = [...checkCard(typed.entered, now), ...typed.problems]
    return showFormAgain(visit, session, { reason: { why: 'faulty' }, problems, kept })
  }
  try {
    const outcome = await submitOnce(pages.runtime, {
      subject: sessionSubject(session),
      nonce: token.nonce,
      act: (attempt, context) => submitEntered(attempt, typed.entered, context),
      last4: () => normalizeCardNumber(String(typed.entered.number)).slice(-4),
    })
    return outcome === null ? afterRace(visit, session) : afterOutcome(visit, session, { outcome, kept })
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return afterRefusal(visit, session, { refusal: error, kept })
  }
}

function afterOutcome(
  visit: Visit,
  session: AnySession,
  { outcome, kept }: { readonly outcome: FormOutcome; readonly kept: KeptFields },
): PageAnswer | Promise<PageAnswer> {
  switch (outcome.kind) {
    case 'done':
      return seeOther(visit.view.links.done(session))
    case 'authenticate':
      return seeOther(visit.view.links.threeDSecure(outcome.target))
    case 'processing':
      return seeOther(visit.view.links.done(session))
    case 'refused':
      return showFormAgain(visit, session, resumedAfterDecline(outcome, kept))
  }
}

async function afterRefusal(
  visit: Visit,
  session: AnySession,
  { refusal, kept }: { readonly refusal: DomainError; readonly kept: KeptFields },
): Promise<PageAnswer> {
  if (refusal.code === 'payment_processing') return stillProcessing(visit, session)
  if (refusal.code === `${session.object}_unexpected_state`) return afterRace(visit, session)
  const { now } = await standingOf(visit.pages.runtime, session)
  const resumed = resumedAfter(refusal, { kept, now })
  if (resumed === null) throw refusal
  return showFormAgain(visit, session, resumed)
}

/** A form was sent while an earlier one is not decided: this one charged nothing. */
function stillProcessing(visit: Visit, session: AnySession): PageAnswer {
  const { view } = visit
  return showInstead(visit, view.links.done(session), () =>
    page(409, processingPage(session, view), { 'Retry-After': String(SLOW_SECONDS) }),
  )
}

/** The session ended between being shown and being submitted. */
async function afterRace(visit: Visit, { object, id }: AnySession): Promise<PageAnswer> {
  const { runtime } = visit.pages
  await drainDeadlines(runtime)
  const session = await findSession(runtime.store, object, id)
  return session === null ? page(404, notFoundPage(visit.view)) : afterEnd(visit, session)
}

function afterEnd(visit: Visit, session: AnySession): PageAnswer | Promise<PageAnswer> {
  const { links } = visit.view
  if (session.status === 'complete') return seeOther(links.done(session))
  return visit.wantsHtml ? seeOther(links.session(session)) : showSession(visit, session)
}

function ended(session: AnySession, view: View): [status: number, body: string] {
  return session.status === 'complete'
    ? [200, alreadyDonePage(session, view)]
    : [410, expiredPage(session, view)]
}

function showFormAgain(
  visit: Visit,
  session: AnySession,
  resumed: Resumed,
): PageAnswer | Promise<PageAnswer> {
  return showAgain(visit, resumed, (status) => openForm(visit, session, { resumed, status }))
}

async function openForm(
  visit: Visit,
  session: AnySession,
  { resumed, status = 200 }: Shown,
): Promise<PageAnswer> {
  const { pages, view } = visit
  const { language, links } = view
  const { now, isProcessing } = await standingOf(pages.runtime, session)
  if (isProcessing) {
    return status === 200 ? page(200, processingPage(session, view)) : stillProcessing(visit, session)
  }
  const pause = pauseOf(resumed, now)
  if (pause > 0) return tooManyDeclines(session, { form: links.session(session), seconds: pause }, view)
  const customer = await pages.runtime.store.get('customers', session.customer)
  if (customer === null || isDeleted(customer)) throw new Error(`open ${session.object} without a customer`)
  const rendered = { sessionId: session.id, nonce: pages.newNonce(), issuedAt: pages.runtime.wallNow() }
  const state = formState(resumed, { token: createFormToken(rendered, pages.formKey), now }, language)
  const order = { customer, asker: askerOf(session, view), language }
  const body =
    session.object === 'checkout_session'
      ? checkoutPage({ ...order, session, now }, state, view)
      : paymentPage({ ...order, session }, state, view)
  return page(status, body)
}

/** A header holds ASCII only; a URL of other characters goes in the form browsers send it in. */
function asciiUrl(url: string): string {
  return /^[!-~]+$/.test(url) ? url : new URL(url).href
}

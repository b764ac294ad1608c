import { checkCard, normalizeCardNumber } from '../domain/card-checks.ts'
import { isCardAsked, submitEntered } from '../domain/card-submission.ts'
import { isDeleted } from '../domain/customers.ts'
import type { FormOutcome } from '../domain/form-tokens.ts'
import { Refusal } from '../domain/refusal.ts'
import { SLOW_SECONDS } from '../domain/test-cards.ts'
import { drainDeadlines } from '../engine/real-time.ts'
import type { FormState } from './card-form.ts'
import { checkoutPage } from './checkout-page.ts'
import { expiredPage, notFoundPage, tooManyDeclines } from './closed-pages.ts'
import {
  fieldOf,
  type KeptFields,
  NOTHING_KEPT,
  type PostedForm,
  readTypedCard,
  type TypedCard,
} from './entered-card.ts'
import { type PageAnswer, type Pages, page, seeOther } from './exchange.ts'
import { createFormToken, readFormToken } from './form-token.ts'
import type { AnySession } from './links.ts'
import { declineNotice, faulty, unverified } from './notices.ts'
import { paymentPage } from './payment-page.ts'
import { processingPage } from './processing-page.ts'
import { alreadyDonePage, donePage } from './result-page.ts'
import { returnTarget } from './return-url.ts'
import { standingOf } from './standing.ts'
import { findSession, sessionSubject } from './subjects.ts'
import { pastOutcome, submitOnce } from './submission.ts'
import type { View } from './view.ts'

/** One request to one page, with what every page needs. */
export interface Visit {
  readonly pages: Pages
  readonly view: View
  readonly form: PostedForm
  readonly wantsHtml: boolean
  /** The path that was asked for. */
  readonly here: string
  readonly isDrawerOpen: boolean
}

/** GET of a session: the form while it is open, how it ended afterwards. */
export async function showSession(visit: Visit, session: AnySession): Promise<PageAnswer> {
  return session.status === 'open' ? openForm(visit, session, {}) : page(...ended(session, visit.view))
}

/** GET of a session's form with the outcome of an earlier submission above it. */
export async function showAttempt(visit: Visit, session: AnySession, nonce: string): Promise<PageAnswer> {
  if (session.status !== 'open') return showSession(visit, session)
  const outcome = await pastOutcome(visit.pages.runtime.store, session.id, nonce)
  return openForm(
    visit,
    session,
    outcome?.kind === 'refused' ? { notice: declineNotice(outcome, visit.view.language) } : {},
  )
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
  const { pages, form, view } = visit
  const typed = readTypedCard(form)
  const { kept } = typed
  const rendered = { sessionId: session.id, now: pages.runtime.wallNow() }
  const token = readFormToken(fieldOf(form, 'form_token'), rendered, pages.formKey)
  if (token === null)
    return openForm(visit, session, { status: 422, notice: unverified(view.language), kept })
  if (isCardAsked(session) && typed.problems.length > 0) {
    const { now } = await standingOf(pages.runtime, session)
    const problems = [...checkCard(typed.entered, now), ...typed.problems]
    return openForm(visit, session, { status: 422, notice: faulty(view.language), kept, problems })
  }
  try {
    const outcome = await submitOnce(pages.runtime, {
      subject: sessionSubject(session),
      nonce: token.nonce,
      act: (attempt, world) => submitEntered(attempt, typed.entered, world),
      last4: () => normalizeCardNumber(String(typed.entered.number)).slice(-4),
    })
    return outcome === null ? afterRace(visit, session) : afterOutcome(visit, session, { outcome, kept })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return afterRefusal(visit, session, { refusal: error, typed })
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
      return openForm(visit, session, {
        status: 402,
        notice: declineNotice(outcome, visit.view.language),
        kept,
      })
  }
}

async function afterRefusal(
  visit: Visit,
  session: AnySession,
  { refusal, typed }: { readonly refusal: Refusal; readonly typed: TypedCard },
): Promise<PageAnswer> {
  const { code, message, details } = refusal
  const { kept } = typed
  const { view } = visit
  const { language } = view
  if (details.errors !== undefined) {
    return openForm(visit, session, { status: 422, notice: faulty(language), kept, problems: details.errors })
  }
  if (code === 'card_decline_rate_limit_exceeded') {
    return tooManyDeclines(session, { form: view.links.session(session), details }, view)
  }
  if (code === 'payment_processing') return stillProcessing(visit, session)
  if (details.decline_code !== undefined) {
    return openForm(visit, session, { status: 402, notice: declineNotice({ code, message }, language), kept })
  }
  if (code === `${session.object}_unexpected_state`) return afterRace(visit, session)
  throw refusal
}

/** A form was sent while an earlier one is not decided: this one charged nothing. */
function stillProcessing({ view }: Visit, session: AnySession): PageAnswer {
  return page(409, processingPage(session, view), { 'Retry-After': String(SLOW_SECONDS) })
}

/** The session ended between being shown and being submitted. */
async function afterRace(visit: Visit, { object, id }: AnySession): Promise<PageAnswer> {
  const { runtime } = visit.pages
  await drainDeadlines(runtime)
  const session = await findSession(runtime.store, object, id)
  return session === null ? page(404, notFoundPage(visit.view)) : afterEnd(visit, session)
}

function afterEnd(visit: Visit, session: AnySession): PageAnswer | Promise<PageAnswer> {
  return session.status === 'complete'
    ? seeOther(visit.view.links.done(session))
    : showSession(visit, session)
}

function ended(session: AnySession, view: View): [status: number, body: string] {
  return session.status === 'complete'
    ? [200, alreadyDonePage(session, view)]
    : [410, expiredPage(session, view)]
}

interface Shown extends Partial<Omit<FormState, 'token' | 'now'>> {
  readonly status?: number
}

async function openForm(
  visit: Visit,
  session: AnySession,
  { status = 200, notice = null, problems = [], kept = NOTHING_KEPT }: Shown,
): Promise<PageAnswer> {
  const { pages, view } = visit
  const { language } = view
  const { now, isProcessing } = await standingOf(pages.runtime, session)
  if (isProcessing) {
    return status === 200 ? page(200, processingPage(session, view)) : stillProcessing(visit, session)
  }
  const customer = await pages.runtime.store.get('customers', session.customer)
  if (customer === null || isDeleted(customer)) throw new Error(`open ${session.object} without a customer`)
  const rendered = { sessionId: session.id, nonce: pages.newNonce(), issuedAt: pages.runtime.wallNow() }
  const state: FormState = { token: createFormToken(rendered, pages.formKey), notice, problems, kept, now }
  const body =
    session.object === 'checkout_session'
      ? checkoutPage({ session, customer, now, language }, state, view)
      : paymentPage({ session, customer, language }, state, view)
  return page(status, body)
}

/** A header holds ASCII only; a URL of other characters goes in the form browsers send it in. */
function asciiUrl(url: string): string {
  return /^[!-~]+$/.test(url) ? url : new URL(url).href
}

import { normalizeCardNumber, validateCard } from '../../domain/card-validation.ts'
import { isDeletedCustomer } from '../../domain/customers.ts'
import { DomainError } from '../../domain/domain-error.ts'
import type { FormOutcome } from '../../domain/form-tokens.ts'
import { isCardRequired, submitSession } from '../../domain/session-submission.ts'
import { SLOW_CARD_SECONDS } from '../../domain/test-cards.ts'
import { runDueJobs } from '../../engine/real-time.ts'
import { createSessionSubject, findSession } from '../forms/form-subjects.ts'
import { htmlResponse, type PageResponse, seeOther } from '../forms/http.ts'
import { getMerchantName } from '../forms/merchant-name.ts'
import { createFormState } from '../forms/notices.ts'
import {
  issueToken,
  type PageContext,
  type RenderFormOptions,
  readPostedToken,
  redirectOrRender,
  redisplayForm,
} from '../forms/page-context.ts'
import { type PrefilledFields, readCardForm } from '../forms/posted-form.ts'
import {
  getPauseSeconds,
  type ResumedForm,
  resumeAfterDecline,
  resumeAfterError,
} from '../forms/resumed-form.ts'
import { loadOpenSessionState } from '../forms/session-state.ts'
import { findOutcome, submitOnce } from '../forms/submission.ts'
import { processingPage } from '../status/processing-page.ts'
import { alreadyDonePage, donePage } from '../status/result-page.ts'
import { expiredPage, notFoundPage, tooManyDeclinesResponse } from '../status/status-pages.ts'
import type { AnySession } from '../view/links.ts'
import type { PageView } from '../view/page-view.ts'
import { getReturnTarget } from '../view/return-url.ts'
import { checkoutPage } from './checkout-page.ts'
import { paymentPage } from './payment-page.ts'

/** GET of a session: the form while it is open, otherwise its result. */
export async function showSession(context: PageContext, session: AnySession): Promise<PageResponse> {
  return session.status === 'open'
    ? renderFormPage(context, session, context)
    : htmlResponse(...renderEnded(session, context.view))
}

/** GET of a session's form with the outcome of an earlier submission. */
export async function showAttempt(
  context: PageContext,
  session: AnySession,
  nonce: string,
): Promise<PageResponse> {
  if (session.status !== 'open') return showSession(context, session)
  const outcome = await findOutcome(context.pages.runtime.store, session.id, nonce)
  return renderFormPage(context, session, {
    resumed: outcome?.kind === 'refused' ? resumeAfterDecline(outcome) : null,
  })
}

/** GET of the page after completing: the result, which leads to `return_url`, or the processing page. */
export async function showDone(context: PageContext, session: AnySession): Promise<PageResponse> {
  if (session.status === 'open') {
    const { isProcessing } = await loadOpenSessionState(context.pages.runtime, session)
    return isProcessing
      ? htmlResponse(200, processingPage(session, context.view))
      : seeOther(context.view.links.session(session))
  }
  if (session.status === 'expired') return showSession(context, session)
  const target = getReturnTarget(session)
  if (target !== null && !context.wantsHtml) return seeOther(asciiUrl(target.url))
  return htmlResponse(200, donePage(session, context.view))
}

/** POST of a session's form. */
export async function postSession(context: PageContext, session: AnySession): Promise<PageResponse> {
  if (session.status !== 'open') return redirectToEnded(context, session)
  const { pages, form } = context
  const input = readCardForm(form)
  const { prefilled } = input
  const token = readPostedToken(context, session.id)
  if (token === null)
    return redisplaySessionForm(context, session, { reason: { why: 'unverified' }, prefilled })
  if (isCardRequired(session) && input.errors.length > 0) {
    const { now } = await loadOpenSessionState(pages.runtime, session)
    const errors = [...validateCard(input.card, now), ...input.errors]
    return redisplaySessionForm(context, session, { reason: { why: 'faulty' }, errors, prefilled })
  }
  try {
    const outcome = await submitOnce(pages.runtime, {
      subject: createSessionSubject(session),
      nonce: token.nonce,
      decide: (records, ruleContext) => submitSession(records, input.card, ruleContext),
      getLast4: () => normalizeCardNumber(String(input.card.number)).slice(-4),
    })
    return outcome === null
      ? handleConcurrentEnd(context, session)
      : handleOutcome(context, session, outcome, prefilled)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return handleError(context, session, error, prefilled)
  }
}

function handleOutcome(
  context: PageContext,
  session: AnySession,
  outcome: FormOutcome,
  prefilled: PrefilledFields,
): PageResponse | Promise<PageResponse> {
  switch (outcome.kind) {
    case 'done':
    case 'processing':
      return seeOther(context.view.links.done(session))
    case 'authenticate':
      return seeOther(context.view.links.threeDSecure(outcome.target))
    case 'refused':
      return redisplaySessionForm(context, session, resumeAfterDecline(outcome, prefilled))
  }
}

async function handleError(
  context: PageContext,
  session: AnySession,
  error: DomainError,
  prefilled: PrefilledFields,
): Promise<PageResponse> {
  if (error.code === 'payment_processing') return showProcessing(context, session)
  if (error.code === `${session.object}_unexpected_state`) return handleConcurrentEnd(context, session)
  const { now } = await loadOpenSessionState(context.pages.runtime, session)
  const resumed = resumeAfterError(error, prefilled, now)
  if (resumed === null) throw error
  return redisplaySessionForm(context, session, resumed)
}

/** For a form that was submitted while an earlier one is processing. It charged nothing. */
function showProcessing(context: PageContext, session: AnySession): PageResponse {
  const { view } = context
  return redirectOrRender(context, view.links.done(session), () =>
    htmlResponse(409, processingPage(session, view), { 'Retry-After': String(SLOW_CARD_SECONDS) }),
  )
}

/** For a session that ended between loading the form and submitting it. */
async function handleConcurrentEnd(context: PageContext, { object, id }: AnySession): Promise<PageResponse> {
  const { runtime } = context.pages
  await runDueJobs(runtime)
  const session = await findSession(runtime.store, object, id)
  return session === null ? htmlResponse(404, notFoundPage(context.view)) : redirectToEnded(context, session)
}

function redirectToEnded(context: PageContext, session: AnySession): PageResponse | Promise<PageResponse> {
  const { links } = context.view
  if (session.status === 'complete') return seeOther(links.done(session))
  return context.wantsHtml ? seeOther(links.session(session)) : showSession(context, session)
}

function renderEnded(session: AnySession, view: PageView): [status: number, body: string] {
  return session.status === 'complete'
    ? [200, alreadyDonePage(session, view)]
    : [410, expiredPage(session, view)]
}

function redisplaySessionForm(
  context: PageContext,
  session: AnySession,
  resumed: ResumedForm,
): PageResponse | Promise<PageResponse> {
  return redisplayForm(context, resumed, (status) => renderFormPage(context, session, { resumed, status }))
}

async function renderFormPage(
  context: PageContext,
  session: AnySession,
  { resumed, status = 200 }: RenderFormOptions,
): Promise<PageResponse> {
  const { pages, view } = context
  const { language, links } = view
  const { now, isProcessing } = await loadOpenSessionState(pages.runtime, session)
  if (isProcessing) {
    return status === 200
      ? htmlResponse(200, processingPage(session, view))
      : showProcessing(context, session)
  }
  const pause = getPauseSeconds(resumed, now)
  if (pause > 0)
    return tooManyDeclinesResponse(session, { form: links.session(session), seconds: pause }, view)
  const customer = await pages.runtime.store.get('customers', session.customer)
  if (customer === null || isDeletedCustomer(customer))
    throw new Error(`open ${session.object} without a customer`)
  const state = createFormState(resumed, { token: issueToken(pages, session.id), now }, language)
  const order = { customer, merchant: getMerchantName(session, view), language }
  const body =
    session.object === 'checkout_session'
      ? checkoutPage({ ...order, session, now }, state, view)
      : paymentPage({ ...order, session }, state, view)
  return htmlResponse(status, body)
}

/** Converts a URL to ASCII, because a header may contain nothing else. */
function asciiUrl(url: string): string {
  return /^[!-~]+$/.test(url) ? url : new URL(url).href
}

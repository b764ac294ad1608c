import { listCardErrors, normalizeCardNumber } from '../../domain/cards/card-validation.ts'
import { listIbanErrors } from '../../domain/cards/test-ibans.ts'
import type { EnteredPaymentMethod } from '../../domain/completion/session-submission.ts'
import type { Decision, RuleContext } from '../../domain/core/changes.ts'
import { DomainError } from '../../domain/core/domain-error.ts'
import type { FormOutcome } from '../../domain/requests/used-form-tokens.ts'
import type { FormState } from '../forms/card-form.ts'
import { ChangedOfferError, type FormSubject, submitFormOnce } from '../forms/form-submission.ts'
import { digestOffer } from '../forms/form-token.ts'
import { createFormState } from '../forms/notices.ts'
import { issueFormToken, type PageContext, redisplayForm, verifyPostedToken } from '../forms/page-context.ts'
import { createHtmlResponse, type PageResponse, redirectSeeOther } from '../forms/page-response.ts'
import { type CardInput, readCardForm } from '../forms/posted-form.ts'
import {
  createFormAfterDecline,
  createFormAfterError,
  getDeclineWaitSeconds,
  type RedisplayedForm,
} from '../forms/redisplayed-form.ts'
import type { Html } from '../markup/html.ts'
import { createTooManyDeclinesResponse } from '../status/status-pages.ts'

type Response = PageResponse | Promise<PageResponse>

/** The form that pays a session or an invoice. */
export interface PaymentFormDefinition<L> {
  readonly subject: FormSubject<L>
  /** Returns whether the form needs a card at `now`: the time of the session or invoice, in Unix seconds. */
  readonly needsCard: (now: number) => boolean
  /** Returns the offer at `now`, which is compared with the offer on the page of the form. */
  readonly createOfferFingerprint: (loaded: L, now: number) => string
  readonly decide: (loaded: L, card: EnteredPaymentMethod, context: RuleContext) => Decision<FormOutcome>
  /** Resolves with the time of the session or invoice in Unix seconds. */
  readonly loadTime: () => Promise<number>
  readonly render: (context: PageContext) => Promise<PageResponse>
  /** Returns the response for the outcome of a form; the outcome is null when the form can no longer be applied. */
  readonly showResult: (outcome: FormOutcome | null) => Response
  /** Returns the response to an error that the customer cannot correct, or null for any other error. */
  readonly showFinalError?: (error: DomainError) => Response | null
}

/** Handles a POST of a payment form; the default input is the card fields of the form. */
export async function submitPaymentForm<L>(
  context: PageContext,
  form: PaymentFormDefinition<L>,
  { card, prefilled, errors }: CardInput = readCardForm(context.form),
): Promise<PageResponse> {
  const redisplay = (resumed: RedisplayedForm) => redisplayForm(context, resumed, form.render)
  const token = verifyPostedToken(context, form.subject.id)
  if (token === null) return redisplay({ reason: { why: 'unverified' }, prefilled })
  if (errors.length > 0) {
    const now = await form.loadTime()
    const others = card.iban === undefined ? listCardErrors(card, now) : listIbanErrors(card.iban)
    const all = [...others, ...errors]
    if (form.needsCard(now)) return redisplay({ reason: { why: 'faulty' }, errors: all, prefilled })
  }
  try {
    const outcome = await submitFormOnce(context.pages.runtime, {
      subject: form.subject,
      nonce: token.nonce,
      decide(loaded, ruleContext) {
        if (token.offer !== digestOffer(form.createOfferFingerprint(loaded, ruleContext.now)))
          throw new ChangedOfferError('the form would charge something else than its page showed')
        return form.decide(loaded, card, ruleContext)
      },
      getLast4: () => normalizeCardNumber(String(card.number)).slice(-4),
    })
    if (outcome?.kind === 'authenticate')
      return redirectSeeOther(context.view.links.threeDSecure(outcome.target))
    if (outcome?.kind === 'declined') return redisplay(createFormAfterDecline(outcome, prefilled))
    return form.showResult(outcome)
  } catch (error) {
    if (error instanceof ChangedOfferError) return redisplay({ reason: { why: 'changed' }, prefilled })
    if (!(error instanceof DomainError)) throw error
    const response = form.showFinalError?.(error)
    if (response) return response
    const resumed = createFormAfterError(error, prefilled, await form.loadTime())
    if (resumed === null) throw error
    return redisplay(resumed)
  }
}

/** The session or invoice whose form is rendered; `now` is its time in Unix seconds. */
export interface PaymentFormOwner {
  readonly id: string
  readonly test_clock: string | null
  readonly now: number
  /** The text that identifies the amount and the purpose of the charge. */
  readonly offer: string
  readonly path: string
}

/** Returns the page with a payment form, or after too many declines the page with the waiting time. */
export async function showPaymentForm(
  { pages, view, resumed, status = 200 }: PageContext,
  owner: PaymentFormOwner,
  render: (state: FormState) => Html | Promise<Html>,
): Promise<PageResponse> {
  const pause = getDeclineWaitSeconds(resumed, owner.now)
  if (pause > 0) return createTooManyDeclinesResponse(owner, { form: owner.path, seconds: pause }, view)
  const state = createFormState(
    resumed,
    { token: issueFormToken(pages, owner.id, owner.offer), now: owner.now },
    view.language,
  )
  return createHtmlResponse(view, status, await render(state))
}

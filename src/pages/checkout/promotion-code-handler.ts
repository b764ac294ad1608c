import type { CompletableSession } from '../../domain/completion/hosted-session.ts'
import { findSessionRedemptionError } from '../../domain/completion/session-offers.ts'
import type { Change } from '../../domain/core/changes.ts'
import {
  recordEnteredPromotionCode,
  removeEnteredPromotionCode,
} from '../../domain/sessions/promotion-codes.ts'
import { findSession } from '../../engine/find-session.ts'
import { findActivePromotionCode, loadPromotionCodeRedemption } from '../../engine/load-redemption.ts'
import { findEnteredPromotionCode } from '../../engine/load-related.ts'
import { commitAfterDueJobs } from '../../engine/real-time-jobs.ts'
import { getTimeReference } from '../../engine/time-reference.ts'
import type { TransactionReader } from '../forms/form-submission.ts'
import { type PageContext, verifyPostedToken } from '../forms/page-context.ts'
import { type PageResponse, redirectSeeOther } from '../forms/page-response.ts'
import { EMPTY_FIELDS, getFormField } from '../forms/posted-form.ts'
import { EN } from '../languages/en.ts'
import { describeCodeError } from './promotion-code-form.ts'
import { redisplaySessionForm, showSession } from './session-handlers.ts'

/** Handles a POST of the promotion code form. An empty code removes the applied code. */
export async function postPromotionCode(
  context: PageContext,
  session: CompletableSession,
): Promise<PageResponse> {
  const { pages, view, form } = context
  const isAllowed = session.object === 'checkout_session' && session.allow_promotion_codes
  if (session.status !== 'open' || !isAllowed) return showSession(context, session)
  if (verifyPostedToken(context, session.id) === null)
    return redisplaySessionForm(context, session, { reason: { why: 'unverified' } })
  const code = getFormField(form, 'remove') === '' ? getFormField(form, 'code') : ''
  const error = await commitAfterDueJobs<CodeChange, string | null>(pages.runtime, {
    request: null,
    load: (reader) => loadChange(reader, session, code),
    when: () => getTimeReference(session),
    decide: ({ changes, findError }, { now }) => {
      const problem = findError(now)
      return { changes: problem === null ? changes : [], result: problem }
    },
  })
  if (error === null) return redirectSeeOther(view.links.session(session))
  const errors = [{ code: 'resource_missing', param: 'promotion_code', message: error }]
  const prefilled = { ...EMPTY_FIELDS, code }
  return redisplaySessionForm(context, session, { reason: { why: 'code' }, errors, prefilled })
}

interface CodeChange {
  readonly changes: readonly Change[]
  /** Returns the message of the error that prevents the redemption at `now`, in Unix seconds; null without an error. */
  readonly findError: (now: number) => string | null
}

async function loadChange(
  reader: TransactionReader,
  { object, id, customer }: CompletableSession,
  code: string,
): Promise<CodeChange> {
  const session = await findSession(reader, object, id)
  // The next page reports the end of the session.
  if (session?.status !== 'open') return { changes: [], findError: () => null }
  if (code === '') {
    const entered = await findEnteredPromotionCode(reader, session)
    return { changes: removeEnteredPromotionCode(entered), findError: () => null }
  }
  const found = await findActivePromotionCode(reader, code)
  if (found === null) return { changes: [], findError: () => EN.errors.codeUnknown }
  const redemption = await loadPromotionCodeRedemption(reader, found, customer)
  return {
    changes: [recordEnteredPromotionCode(id, found)],
    findError(now) {
      const error = findSessionRedemptionError({ session, redemption }, now)
      return error && describeCodeError(error)
    },
  }
}

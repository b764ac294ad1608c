import type { SubscriptionUpdateRecords } from '../../domain/billing/apply-subscription-change.ts'
import { DECLINED_CHANGE_SUFFIX } from '../../domain/billing/apply-subscription-change.ts'
import type { Subscription } from '../../domain/billing/subscriptions.ts'
import { type Decision, PORTAL_REQUEST_ID_PREFIX, type RuleContext } from '../../domain/core/changes.ts'
import { DomainError } from '../../domain/core/domain-error.ts'
import type { FormOutcome } from '../../domain/requests/used-form-tokens.ts'
import type { PortalSession } from '../../domain/sessions/portal-sessions.ts'
import { requireOpenSession } from '../../domain/sessions/sessions.ts'
import { getTimeReference } from '../../engine/time-reference.ts'
import { ChangedOfferError, submitFormOnce, type TransactionReader } from '../forms/form-submission.ts'
import { digestOffer } from '../forms/form-token.ts'
import { issueFormToken, type PageContext, redisplayForm, verifyPostedToken } from '../forms/page-context.ts'
import { type PageResponse, redirectSeeOther } from '../forms/page-response.ts'
import { EMPTY_FIELDS } from '../forms/posted-form.ts'
import { createFormAfterError, type RedisplayedForm } from '../forms/redisplayed-form.ts'
import { loadChangeableSubscription } from './load-portal.ts'

/** The query parameter of the page after a change. */
export const DONE_PARAM = 'done'

/** The errors of changes that the rules do not allow, or no longer allow, so that the customer can choose again. */
export const REJECTED_CHANGE_ERRORS: ReadonlySet<string> = new Set([
  'proration_date_out_of_range',
  'subscription_unexpected_state',
  'portal_session_unexpected_state',
  'parameter_invalid_array',
  'amount_too_large',
  'invoice_item_limit',
])

/** A form of a portal session; `part` is its path below the path of the session. */
export interface PortalFormDefinition<L> {
  readonly part: string
  /** Resolves with null when the session does not offer the form, or no longer offers it. */
  readonly load: (reader: TransactionReader, session: PortalSession) => Promise<L | null>
  /** Returns a string that identifies the effect of the form, as its page shows it. */
  readonly createOffer: (loaded: L, session: PortalSession, context: RuleContext) => string
  readonly decide: (loaded: L, session: PortalSession, context: RuleContext) => Decision<FormOutcome>
  readonly render: (context: PageContext) => Promise<PageResponse>
}

/** Returns a token for a form of a portal session. The token is valid only for this form and this subscription. */
export function issuePortalFormToken(
  { pages }: PageContext,
  { id }: PortalSession,
  form: { readonly part: string; readonly offer: string },
): string {
  return issueFormToken(pages, subjectOf(id, form.part), form.offer)
}

function subjectOf(id: string, part: string): string {
  return `${id}${part}`
}

/**
 * Handles a POST of a form. The events of the change and the `Request-Id` header of the response contain the same
 * request id.
 */
export async function submitPortalForm<L>(
  context: PageContext,
  { id }: PortalSession,
  form: PortalFormDefinition<L>,
): Promise<PageResponse> {
  const requestId = context.pages.runtime.newId(PORTAL_REQUEST_ID_PREFIX)
  const response = await submit(context, { id, requestId }, form)
  return { ...response, headers: { ...response.headers, 'Request-Id': requestId } }
}

async function submit<L>(
  context: PageContext,
  { id, requestId }: { readonly id: string; readonly requestId: string },
  form: PortalFormDefinition<L>,
): Promise<PageResponse> {
  const { pages, view } = context
  const redisplay = (resumed: RedisplayedForm) => redisplayForm(context, resumed, form.render)
  const subject = subjectOf(id, form.part)
  const token = verifyPostedToken(context, subject)
  if (token === null) return redisplay({ reason: { why: 'unverified' } })
  try {
    const outcome = await submitFormOnce<{ session: PortalSession; loaded: L }>(pages.runtime, {
      subject: {
        id: subject,
        async load(reader) {
          const session = await reader.get('portal_sessions', id)
          const loaded = session?.status === 'open' ? await form.load(reader, session) : null
          return session === null || loaded === null ? null : { session, loaded }
        },
        when: ({ session }) => getTimeReference(session),
      },
      nonce: token.nonce,
      request: { id: requestId, idempotency_key: null },
      decide({ session, loaded }, rules) {
        requireOpenSession(session, 'use', rules.now)
        if (token.offer !== digestOffer(form.createOffer(loaded, session, rules)))
          throw new ChangedOfferError('the form would change something else than its page showed')
        return form.decide(loaded, session, rules)
      },
    })
    if (outcome?.kind === 'continue')
      return redirectSeeOther(view.links.session({ object: 'card_session', id: outcome.session }))
    const done = outcome === null ? [] : [`${DONE_PARAM}=1`]
    return redirectSeeOther(view.links.session({ object: 'portal_session', id }, '', ...done))
  } catch (error) {
    if (error instanceof ChangedOfferError) return redisplay({ reason: { why: 'changed' } })
    const resumed = error instanceof DomainError ? redisplayAfterChange(error) : null
    if (resumed === null) throw error
    return redisplay(resumed)
  }
}

function redisplayAfterChange(error: DomainError): RedisplayedForm | null {
  if (REJECTED_CHANGE_ERRORS.has(error.code)) return { reason: { why: 'changed' } }
  const resumed = createFormAfterError(error, EMPTY_FIELDS, 0)
  if (resumed?.reason.why !== 'declined') return null
  const message = resumed.reason.message.replace(DECLINED_CHANGE_SUFFIX, '')
  return { reason: { ...resumed.reason, message } }
}

/**
 * Returns the load function of a form for a subscription. The function resolves with null unless the customer owns the
 * subscription and `isOffered` returns true.
 */
export function createOwnSubscriptionLoader(
  id: string,
  isOffered: (session: PortalSession, subscription: Subscription) => boolean,
): PortalFormDefinition<SubscriptionUpdateRecords>['load'] {
  return async (reader, session) => {
    const subscription = await reader.get('subscriptions', id)
    const isOwn = subscription?.customer === session.customer
    return isOwn && isOffered(session, subscription) ? loadChangeableSubscription(reader, subscription) : null
  }
}

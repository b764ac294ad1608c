import {
  type SubscriptionUpdateRecords,
  updateSubscription,
} from '../../domain/billing/apply-subscription-change.ts'
import type { Invoice } from '../../domain/billing/invoices.ts'
import {
  canUndoCancellation,
  isCancelable,
  isCanceledImmediately,
  listPlanOptions,
  type PlanChoice,
  type PlanOption,
  toSubscriptionChange,
} from '../../domain/billing/portal-changes.ts'
import { cancelSubscriptionNow } from '../../domain/billing/subscription-cancellation.ts'
import type { Subscription } from '../../domain/billing/subscriptions.ts'
import { createCardSession } from '../../domain/completion/card-sessions.ts'
import type { RuleContext } from '../../domain/core/changes.ts'
import { DomainError } from '../../domain/core/domain-error.ts'
import { MAX_QUANTITY } from '../../domain/core/money.ts'
import { requireCustomer } from '../../domain/payments/customers.ts'
import { previewSubscriptionChange } from '../../domain/reports/invoice-preview.ts'
import { PORTAL_LIFETIME_SECONDS, type PortalSession } from '../../domain/sessions/portal-sessions.ts'
import { toAsciiDigits } from '../forms/card-expiry.ts'
import type { FormNotice } from '../forms/card-form.ts'
import { toFormDecision } from '../forms/form-submission.ts'
import { createFormNotice } from '../forms/notices.ts'
import type { PageContext } from '../forms/page-context.ts'
import { createHtmlResponse, type PageResponse, redirectSeeOther } from '../forms/page-response.ts'
import { getFormField } from '../forms/posted-form.ts'
import type { RedisplayedForm } from '../forms/redisplayed-form.ts'
import { createErrorPageResponse } from '../status/status-pages.ts'
import { createPreviewContext, loadPortalRecords } from './load-portal.ts'
import { type ChangePreview, renderCancelPage, renderPlanChangePage } from './portal-forms.ts'
import { renderPortalPage } from './portal-page.ts'
import {
  createOwnSubscriptionLoader,
  DONE_PARAM,
  issuePortalFormToken,
  type PortalFormDefinition,
  REJECTED_CHANGE_ERRORS,
  submitPortalForm,
} from './submit-portal.ts'

const CHANGE_OFFER = 'change'

/** Handles GET of a portal session. */
export async function showPortal(context: PageContext, session: PortalSession): Promise<PageResponse> {
  const { pages, view, query, status = 200 } = context
  const records = await loadPortalRecords(pages.runtime, session)
  const notice = createPortalNotice(context)
  const state = {
    notice,
    isDone: notice === null && query.has(DONE_PARAM),
    issueToken: (part: string) => issuePortalFormToken(context, session, { part, offer: CHANGE_OFFER }),
  }
  return createHtmlResponse(view, status, renderPortalPage(session, records, state, view))
}

/**
 * Returns the notice above a form that is shown again; null when no notice is needed. After a decline, the notice also
 * confirms that nothing was changed.
 */
function createPortalNotice({ resumed, view }: Pick<PageContext, 'resumed' | 'view'>): FormNotice | null {
  const { language } = view
  const reason = resumed?.reason
  const notice = createFormNotice(reason, language)
  if (notice === null || reason?.why !== 'declined') return notice
  const unchanged = language.t('subscriptionUnchanged')
  if (reason.code === 'payment_method_missing')
    return { title: language.t('chargeFailed'), text: `${language.t('noCard')} ${unchanged}` }
  // The message asks to confirm the next attempt, but the portal charges without the customer.
  if (reason.code === 'authentication_required') return { ...notice, text: unchanged }
  return { ...notice, text: `${notice.text} ${unchanged}` }
}

/** Handles POST of the button that replaces the card: creates a card session, whose page returns to the portal. */
export function postCardReplacement(context: PageContext, session: PortalSession): Promise<PageResponse> {
  const { chosenLanguage } = context.view.links
  return submitPortalForm(context, session, {
    part: '/card',
    load: async (reader, { customer, features }) =>
      features.cards ? requireCustomer(await reader.get('customers', customer), customer) : null,
    createOffer: () => CHANGE_OFFER,
    decide(customer, { url, branding, locale }, rules) {
      const return_url = chosenLanguage === null ? url : `${url}?lang=${chosenLanguage}`
      const expires_at = rules.now + PORTAL_LIFETIME_SECONDS
      const owner = { customer, subscription: null }
      const created = createCardSession({ customer: customer.id, return_url, expires_at }, owner, rules)
      const after = { ...created.after, branding, locale }
      return { changes: [{ ...created, after }], result: { kind: 'continue', session: after.id } }
    },
    render: (shown) => showPortal(shown, session),
  })
}

/** Handles POST of the button that undoes a cancellation. */
export function postCancellationUndo(
  context: PageContext,
  session: PortalSession,
  id: string,
): Promise<PageResponse> {
  return submitPortalForm(context, session, {
    part: `/subscriptions/${id}/resume`,
    load: createOwnSubscriptionLoader(id, canUndoCancellation),
    createOffer: () => CHANGE_OFFER,
    decide: (records, _session, rules) =>
      toFormDecision(updateSubscription(records, { cancel_at_period_end: false }, rules)),
    render: (shown) => showPortal(shown, session),
  })
}

/** Handles GET of the page on which the customer confirms a cancellation. */
export async function showCancel(
  context: PageContext,
  session: PortalSession,
  id: string,
): Promise<PageResponse> {
  const { pages, view, status = 200 } = context
  const records = await createOwnSubscriptionLoader(id, isCancelable)(pages.runtime.store, session)
  if (records === null) return showUnavailable(context, session)
  const { subscription } = records.account
  const offer = createCancelOffer(records, session)
  const token = issuePortalFormToken(context, session, { part: cancelPart(id), offer })
  const notice = createPortalNotice(context)
  return createHtmlResponse(view, status, renderCancelPage({ session, subscription, notice }, token, view))
}

/** Handles POST of a cancellation. */
export function postCancel(context: PageContext, session: PortalSession, id: string): Promise<PageResponse> {
  return submitPortalForm(context, session, {
    part: cancelPart(id),
    load: createOwnSubscriptionLoader(id, isCancelable),
    createOffer: createCancelOffer,
    decide: (records, current, rules) =>
      toFormDecision(
        isCanceledImmediately(current, records.account.subscription)
          ? cancelSubscriptionNow(records, {}, rules)
          : updateSubscription(records, { cancel_at_period_end: true }, rules),
      ),
    render: (shown) => showCancel(shown, session, id),
  })
}

function cancelPart(id: string): string {
  return `/subscriptions/${id}/cancel`
}

function createCancelOffer({ account }: SubscriptionUpdateRecords, session: PortalSession): string {
  const { subscription } = account
  return JSON.stringify([isCanceledImmediately(session, subscription), subscription.current_period_end])
}

/** Responds to a request for an unavailable action, for example because it was already done in another tab. */
function showUnavailable(context: PageContext, session: PortalSession): Promise<PageResponse> | PageResponse {
  // Unknown subscriptions, subscriptions of other customers and disabled features have no page.
  return context.resumed === null
    ? createErrorPageResponse(404, context.view)
    : showPortal({ ...context, status: 200 }, session)
}

/**
 * Handles GET of the page that changes plan and quantity. The form without a preview sends both values in the query.
 * The page with the preview has both values in its path, to which the form is posted.
 */
export async function showPlanChange(
  context: PageContext,
  session: PortalSession,
  ...[id = '', previewedPlan, previewedQuantity]: string[]
): Promise<PageResponse> {
  const { pages, view, query, resumed, status = 200 } = context
  const records = await createOwnSubscriptionLoader(id, canChange)(pages.runtime.store, session)
  if (records === null) return showUnavailable(context, session)
  const { subscription } = records.account
  const options = listPlanOptions(session, subscription)
  const [item] = subscription.items
  const plan = previewedPlan ?? query.get('plan') ?? 'current'
  const typed = previewedQuantity ?? query.get('quantity')?.trim()
  const quantity = toAsciiDigits(typed ?? String(item?.quantity ?? 1))
  const option = options.find(({ key }) => key === plan)
  const isQuantityInvalid = !/^\d+$/.test(quantity) || Number(quantity) < 1 || Number(quantity) > MAX_QUANTITY
  const isValid = option !== undefined && !isQuantityInvalid
  if (isValid && previewedPlan === undefined && query.has('quantity'))
    return redirectSeeOther(view.links.session(session, changePart(id, plan, Number(quantity))))
  const isSame = plan === 'current' && Number(quantity) === item?.quantity
  const wanted = previewedPlan !== undefined && isValid && !isSame ? option : null
  const preview =
    wanted && (await loadPreview(context, session, records, { wanted, quantity: Number(quantity) }))
  const isRejected = preview === 'rejected' || (typed !== undefined && !isValid)
  const rejected: RedisplayedForm | null = isRejected ? { reason: { why: 'faulty' } } : null
  const notice = createPortalNotice({ resumed: resumed ?? rejected, view })
  const subject = { session, subscription, notice }
  const entered = { options, plan, quantity, isQuantityInvalid }
  const page = renderPlanChangePage(subject, entered, preview === 'rejected' ? null : preview, view)
  return createHtmlResponse(view, isRejected ? 422 : status, page)
}

function canChange(session: PortalSession, subscription: Subscription): boolean {
  return listPlanOptions(session, subscription).length > 0
}

function changePart(id: string, plan: string, quantity: number): string {
  return `/subscriptions/${id}/change/${plan}/${quantity}`
}

/** Loads the preview of a change; `rejected` if the rules do not allow the change, such as a too expensive change. */
async function loadPreview(
  context: PageContext,
  session: PortalSession,
  records: SubscriptionUpdateRecords,
  { wanted, quantity }: { readonly wanted: PlanOption; readonly quantity: number },
): Promise<ChangePreview | 'rejected'> {
  const rules = await createPreviewContext(context.pages.runtime, session)
  const { subscription } = records.account
  const choice = { plan: wanted.plan, quantity, at: rules.now }
  try {
    const preview = previewChange(records, choice, rules)
    const part = changePart(subscription.id, wanted.key, quantity)
    const token = issuePortalFormToken(context, session, { part, offer: preview.offer })
    return { ...preview, at: choice.at, token }
  } catch (error) {
    if (error instanceof DomainError && REJECTED_CHANGE_ERRORS.has(error.code)) return 'rejected'
    throw error
  }
}

function previewChange(records: SubscriptionUpdateRecords, choice: PlanChoice, rules: RuleContext) {
  const { payment_behavior: _, ...change } = toSubscriptionChange(choice, records.account.subscription)
  const previews = previewSubscriptionChange(records, change, rules)
  const { now, changed } = previews
  const next = previews.next()
  const offer = JSON.stringify([choice, describeOffer(now), describeOffer(next), next?.created])
  return { now, next, changed, offer }
}

function describeOffer(invoice: Invoice | null): unknown {
  return invoice && [invoice.lines.map(({ total }) => total), invoice.total, invoice.amount_due]
}

/** Handles POST of a change that the customer confirmed after its preview. */
export async function postPlanChange(
  context: PageContext,
  session: PortalSession,
  ...[id = '', plan, quantity]: string[]
): Promise<PageResponse> {
  if (plan === undefined || quantity === undefined) return showPlanChange(context, session, id)
  const sent = Number(getFormField(context.form, 'at'))
  // The time 0 is in no period, so the form is shown again with a new preview.
  const at = Number.isSafeInteger(sent) ? sent : 0
  const choiceOf = (current: PortalSession, { account }: SubscriptionUpdateRecords): PlanChoice => {
    const options = listPlanOptions(current, account.subscription)
    return { plan: options.find(({ key }) => key === plan)?.plan ?? null, quantity: Number(quantity), at }
  }
  const form: PortalFormDefinition<SubscriptionUpdateRecords> = {
    part: changePart(id, plan, Number(quantity)),
    load: createOwnSubscriptionLoader(id, (current, subscription) =>
      listPlanOptions(current, subscription).some(({ key }) => key === plan),
    ),
    createOffer: (records, current, rules) => previewChange(records, choiceOf(current, records), rules).offer,
    decide: (records, current, rules) => {
      const change = toSubscriptionChange(choiceOf(current, records), records.account.subscription)
      return toFormDecision(updateSubscription(records, change, rules))
    },
    render: (shown) => showPlanChange(shown, session, id, plan, quantity),
  }
  return submitPortalForm(context, session, form)
}

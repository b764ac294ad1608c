import type { Decision, ObjectUpdate, RuleContext } from '../core/changes.ts'
import { DomainError } from '../core/domain-error.ts'
import type { Redemption } from '../sessions/discounts.ts'
import type { TimerRecord } from '../time/timers.ts'
import { billPeriod } from './billing-cycle.ts'
import { type BillingRecords, BillingUnitOfWork } from './billing-unit-of-work.ts'
import { markOnceDiscountUsed, updateSubscriptionDiscount } from './invoice-discounts.ts'
import { createInvoiceItem, type InvoiceItem, requireItemCapacity } from './invoice-items.ts'
import type { BilledLine, Proration } from './prorations.ts'
import { omitSubscriptionChangeParams } from './subscription-change-params.ts'
import { type PlannedSubscriptionChange, planSubscriptionChange } from './subscription-changes.ts'
import { type SubscriptionUpdateParams, setSubscriptionFields } from './subscription-updates.ts'
import { requireLiveSubscription, type Subscription } from './subscriptions.ts'
import { endTrial, getMovedTrialFields, rescheduleTrialNotice } from './trials.ts'

/** A subscription with the records that an update requires. */
export interface SubscriptionUpdateRecords {
  readonly account: BillingRecords
  /** The lines that were billed in the current period, oldest first. */
  readonly billed: readonly BilledLine[]
  /** The customer's pending invoice items, for all subscriptions. */
  readonly customerItems: readonly InvoiceItem[]
  /** The coupon that the update redeems, if any. */
  readonly redemption?: Redemption | null
  /** The timer of `subscription.trial_will_end`; null when the event was sent or there is no trial. */
  readonly trialTimer: TimerRecord | null
}

/**
 * Updates a subscription. A change of prices or of the billing period is prorated and, if requested, invoiced. With
 * `error_if_incomplete`, throws the decline of that invoice; the caller then stores nothing.
 */
export function updateSubscription(
  records: SubscriptionUpdateRecords,
  fields: SubscriptionUpdateParams,
  context: RuleContext,
): Decision<Subscription> {
  const { billing, invoice } = applySubscriptionUpdate(records, fields, context)
  if (invoice !== null && fields.payment_behavior === 'error_if_incomplete') requirePaid(billing, invoice)
  return { changes: billing.changes, result: billing.subscription }
}

/** Applies an update. Returns its changes, and the id of the created invoice or null. */
export function applySubscriptionUpdate(
  records: SubscriptionUpdateRecords,
  { trial_end, discount: given, ...fields }: SubscriptionUpdateParams,
  context: RuleContext,
): { readonly billing: BillingUnitOfWork; readonly invoice: string | null } {
  const { account, trialTimer } = records
  const { subscription } = account
  requireLiveSubscription(subscription, 'change')
  const change = planSubscriptionChange({ ...records, subscription }, fields, context)
  const invoice = change.invoicing === 'nothing' ? null : context.newId('in_')
  const billing = new BillingUnitOfWork(account, context)
  const moved = getMovedTrialFields(subscription, trial_end, context)
  const redemption = given ? (records.redemption ?? null) : given
  const { discount, changes: redeemed } = updateSubscriptionDiscount(
    { ...subscription, ...moved },
    redemption,
    context,
  )
  const changed = {
    ...change.fields,
    ...moved,
    discount,
    ...(invoice === null ? {} : { latest_invoice: invoice }),
  }
  const updated = setSubscriptionFields(
    subscription,
    { ...omitSubscriptionChangeParams(fields), changed },
    context,
  )
  billing.add(...redeemed, ...updated.map((update) => spendOn(update, invoice, billing, change)))
  if ('trial_end' in moved) billing.add(...rescheduleTrialNotice(billing.subscription, trialTimer, context))
  const first = trial_end === 'now' ? endTrial(billing) : null
  addProrations(billing, change.prorations, records)
  if (invoice !== null) {
    // An empty list of lines creates an invoice with only the pending items, without a line for a period.
    billPeriod(billing, invoice, 'subscription_update', change.invoicing === 'items' ? [] : undefined)
  }
  return { billing, invoice: invoice ?? first }
}

function spendOn(
  update: ObjectUpdate<Subscription>,
  invoice: string | null,
  { pendingItems }: BillingUnitOfWork,
  { invoicing }: PlannedSubscriptionChange,
): ObjectUpdate<Subscription> {
  if (invoice === null) return update
  const next = { invoice, pendingItems, isPeriodBilled: invoicing === 'period' }
  return { ...update, after: markOnceDiscountUsed(update.after, next) }
}

/**
 * Creates the invoice items of prorations. Throws if the next invoice would exceed the maximum number of items or the
 * maximum amount.
 */
export function addProrations(
  billing: BillingUnitOfWork,
  prorations: readonly Proration[],
  { account, customerItems }: Pick<SubscriptionUpdateRecords, 'account' | 'customerItems'>,
): void {
  const { subscription } = billing
  const created = prorations.map((proration) => createInvoiceItem(subscription, proration, billing.context))
  if (created.length > 0 || subscription.items !== account.subscription.items)
    requireItemCapacity(
      { subscription, pendingItems: customerItems },
      created.map(({ after }) => after),
    )
  billing.add(...created)
}

/** The last sentence of the error message when a decline prevented a change. */
export const DECLINED_CHANGE_SUFFIX = ' The subscription was not changed.'

function requirePaid(billing: BillingUnitOfWork, id: string): void {
  const invoice = billing.invoices.find((one) => one.id === id)
  const error = invoice?.status === 'open' ? invoice.last_payment_error : null
  if (!error) return
  throw new DomainError(error.code, error.message + DECLINED_CHANGE_SUFFIX, {
    decline_code: error.decline_code,
  })
}

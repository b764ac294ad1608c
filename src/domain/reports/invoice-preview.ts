import {
  applySubscriptionUpdate,
  type SubscriptionUpdateRecords,
} from '../billing/apply-subscription-change.ts'
import { type BillingRecords, BillingUnitOfWork } from '../billing/billing-unit-of-work.ts'
import { type Invoice, invoiceLineSchema, invoiceSchema, LINE_FIELDS } from '../billing/invoices.ts'
import { subscriptionChangeParams } from '../billing/subscription-change-params.ts'
import { SUBSCRIPTION_JOBS } from '../billing/subscription-jobs.ts'
import { isLiveSubscription, type Subscription } from '../billing/subscriptions.ts'
import type { Change, RuleContext } from '../core/changes.ts'
import { DomainError } from '../core/domain-error.ts'
import { pickFields } from '../core/json-object.ts'
import * as p from '../core/params.ts'
import * as s from '../core/schema.ts'
import { findNextSubscriptionJob } from '../schedule/deadlines.ts'
import { subscriptionDiscountParam } from '../sessions/discounts.ts'
import { trialEndParam } from '../sessions/trial-terms.ts'

/** The common fields of a preview and the later invoice, except the lines. */
const INVOICE_FIELDS = [
  'customer',
  'subscription',
  'billing_reason',
  'collection_method',
  'currency',
  'description',
  'subtotal',
  'discount',
  'discount_amount',
  'tax',
  'total',
  'taxes',
  'starting_balance',
  'ending_balance',
  'balance_applied',
  'amount_due',
  'period_start',
  'period_end',
  'test_clock',
] as const

const line = s.object(
  s.pickProperties(invoiceLineSchema, LINE_FIELDS),
  'A line of the invoice. Its `subscription_item` is null if the change adds the item.',
)

/** The schema of a preview of an invoice. */
export const invoicePreviewSchema = s.titledObject(
  'invoice_preview',
  'The next invoice of a subscription, which does not exist yet.',
  {
    object: s.constant('invoice_preview', 'The type of the object.'),
    invoice_date: s.timestamp('Time at which the invoice will be created.'),
    proration_date: s.timestamp(
      'The time of the change. Pass it to the update of the subscription to get the same amounts.',
    ),
    lines: s.arrayOf(line, 'The lines of the invoice.'),
    ...s.pickProperties(invoiceSchema, INVOICE_FIELDS),
  },
)

export type InvoicePreview = s.ValueOf<typeof invoicePreviewSchema>

// A preview charges nothing, so it has no parameter for the behavior of failed charges.
const { payment_behavior: _, ...changeParams } = subscriptionChangeParams

/** The parameters of a preview: a change of the subscription, or no change for its next invoice. */
export const previewParams = p.shape(
  { id: p.id('The id of the subscription.') },
  { ...changeParams, trial_end: trialEndParam, discount: subscriptionDiscountParam },
)

type PreviewFields = Omit<s.ValueOf<typeof previewParams>, 'id'>

/**
 * Returns the invoice that a change of a subscription creates immediately, or otherwise the next invoice after the
 * change. Runs the rules of the update and of the next period; the caller does not store their changes. Throws
 * `invoice_upcoming_none` if the subscription has no next invoice, for example because it is canceled.
 */
export function previewInvoice(
  records: SubscriptionUpdateRecords,
  change: PreviewFields,
  context: RuleContext,
): InvoicePreview {
  const { subscription } = records.account
  if (!isLiveSubscription(subscription)) throw noInvoiceError(subscription)
  const { now, next, changed } = previewSubscriptionChange(records, change, context)
  const invoice = now ?? next()
  if (invoice === null) throw noInvoiceError(changed)
  return toPreview(invoice, records, change.proration_date ?? context.now)
}

/**
 * Returns the invoice that a change of a live subscription creates immediately, the changed subscription, and a
 * function that returns the next invoice. Each invoice is null if nothing is billed. The caller does not store the
 * changes of these invoices.
 */
export function previewSubscriptionChange(
  records: SubscriptionUpdateRecords,
  change: PreviewFields,
  { issuerFaults: _, ...context }: RuleContext,
): { readonly now: Invoice | null; readonly changed: Subscription; readonly next: () => Invoice | null } {
  const { billing } = applySubscriptionUpdate(records, change, context)
  return {
    now: createdInvoice(billing.changes),
    changed: billing.subscription,
    next: () => nextInvoice(billing.account, context),
  }
}

function nextInvoice(account: BillingRecords, context: RuleContext): Invoice | null {
  const next = findNextSubscriptionJob(account.subscription)
  if (next === null) return null
  const changes = SUBSCRIPTION_JOBS[next.job](account, { ...context, now: next.at })
  // These jobs bill nothing, so a later job creates the next invoice.
  if (next.job === 'resumeCollection' || next.job === 'endDiscount')
    return nextInvoice(new BillingUnitOfWork(account, context, changes).account, context)
  return createdInvoice(changes)
}

function createdInvoice(changes: readonly Change[]): Invoice | null {
  const states = changes.flatMap(({ after }) => (after?.object === 'invoice' ? [after as Invoice] : []))
  const created = changes.find(({ event }) => event === 'invoice.created')?.after
  return states.findLast(({ id }) => id === created?.id) ?? null
}

function toPreview(
  created: Invoice,
  { account: { subscription } }: SubscriptionUpdateRecords,
  proration_date: number,
): InvoicePreview {
  const items = new Set<string | null>(subscription.items.map(({ id }) => id))
  return {
    object: 'invoice_preview',
    invoice_date: created.created,
    proration_date,
    lines: created.lines.map((each) => ({
      ...pickFields(each, LINE_FIELDS),
      subscription_item: items.has(each.subscription_item) ? each.subscription_item : null,
    })),
    ...pickFields(created, INVOICE_FIELDS),
  }
}

function noInvoiceError(subscription: Subscription): DomainError {
  const { id } = subscription
  return new DomainError(
    'invoice_upcoming_none',
    `Subscription '${id}' has no next invoice: ${noInvoiceReason(subscription)}. Check it with GET /v1/subscriptions/${id}.`,
  )
}

function noInvoiceReason({ status, cancel_at_period_end }: Subscription): string {
  if (status === 'paused' || status === 'canceled') return `its status is ${status}`
  if (status === 'pending') return 'it ends at its start date'
  if (status !== 'trialing') return 'it ends with its current period'
  return cancel_at_period_end ? 'it ends with its trial' : 'there is no card to charge when its trial ends'
}

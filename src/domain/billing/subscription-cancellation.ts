import type { Decision, RuleContext } from '../core/changes.ts'
import * as p from '../core/params.ts'
import type { ValueOf } from '../core/schema.ts'
import { addProrations, type SubscriptionUpdateRecords } from './apply-subscription-change.ts'
import { createFinalInvoiceDraft, finalizeAndChargeOnce } from './billing-cycle.ts'
import { BillingUnitOfWork } from './billing-unit-of-work.ts'
import { endSubscription } from './charge-invoice.ts'
import { createRemainingPeriodCredits } from './subscription-changes.ts'
import { requireLiveSubscription, type Subscription } from './subscriptions.ts'

/** The parameters of a cancellation. */
export const cancellationParams = p.shape(
  { id: p.id('The id of the subscription.') },
  {
    prorate: p.boolean(
      'Credit the unused time of the current period (default: false). Requires `invoice_now`: otherwise the credit is deleted with the pending invoice items.',
    ),
    invoice_now: p.boolean(
      'Invoice the pending invoice items now; otherwise, the items are deleted (default: false). A remaining credit is added to the credit balance.',
    ),
  },
)

export type CancellationParams = Omit<ValueOf<typeof cancellationParams>, 'id'>

/**
 * Cancels a subscription immediately. Its open invoices stay open, but are no longer collected. Its pending invoice
 * items are deleted unless they are invoiced now.
 */
export function cancelSubscriptionNow(
  records: SubscriptionUpdateRecords,
  { prorate = false, invoice_now: isInvoiced = false }: CancellationParams,
  context: RuleContext,
): Decision<Subscription> {
  const { account, billed } = records
  const { subscription } = account
  requireLiveSubscription(subscription, 'cancel')
  const billing = new BillingUnitOfWork(account, context)
  if (prorate)
    addProrations(billing, createRemainingPeriodCredits({ subscription, billed }, context), records)
  const invoice = isInvoiced && billing.pendingItems.length > 0 ? invoiceItems(billing) : undefined
  endSubscription(billing, 'requested', invoice)
  return { changes: billing.changes, result: billing.subscription }
}

// Collects the invoice even while collection is paused, because the request contains `invoice_now`.
function invoiceItems(billing: BillingUnitOfWork): string {
  const draft = createFinalInvoiceDraft(billing, 'subscription_update')
  finalizeAndChargeOnce(billing, draft)
  return draft.id
}

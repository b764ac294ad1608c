import {
  type SubscriptionUpdateRecords,
  updateSubscription,
} from '../../domain/billing/apply-subscription-change.ts'
import { listPauseCollectionErrors } from '../../domain/billing/pause-collection.ts'
import { cancellationParams, cancelSubscriptionNow } from '../../domain/billing/subscription-cancellation.ts'
import { listSubscriptionChangeErrors } from '../../domain/billing/subscription-change-params.ts'
import {
  type SubscriptionUpdateParams,
  subscriptionUpdateParams,
} from '../../domain/billing/subscription-updates.ts'
import {
  requireLiveSubscription,
  type Subscription,
  subscriptionSchema,
} from '../../domain/billing/subscriptions.ts'
import { resumePausedSubscription } from '../../domain/billing/trials.ts'
import { invoicePreviewSchema, previewInvoice, previewParams } from '../../domain/reports/invoice-preview.ts'
import type { Redemption } from '../../domain/sessions/discounts.ts'
import { loadSubscriptionBillingRecords } from '../../engine/load-billing.ts'
import { loadSubscriptionUpdateRecords } from '../../engine/load-subscription-change.ts'
import { getTimeReference } from '../../engine/time-reference.ts'
import type { StoreReader } from '../../store/port/store.ts'
import { createFieldFilters, defineListOperation } from '../core/lists.ts'
import { defineWriteOperation } from '../core/operation.ts'
import {
  createTimeReferenceLoader,
  defineRetrieveOperation,
  idParams,
  requireById,
} from '../core/retrieve.ts'
import { loadCustomerCard } from './customer-cards.ts'
import { loadRequestedRedemption } from './redemptions.ts'

/** Operations on subscriptions, which completed checkout sessions create. */
export const subscriptions = {
  list: defineListOperation('subscriptions', subscriptionSchema, {
    description:
      'Returns subscriptions in every state, including canceled subscriptions, unless you filter by `status`. Filter by `current_period_end` to find the renewals in a time range.',
    filters: createFieldFilters(subscriptionSchema, {
      customer: 'Only subscriptions of this customer.',
      status: 'Only subscriptions with this status.',
      collection_method: 'Only subscriptions with this collection method.',
    }),
    ranges: ['created', 'current_period_end'],
  }),
  retrieve: defineRetrieveOperation('subscriptions', subscriptionSchema, {
    description:
      '`status` is `pending` before the start date, `trialing` in a trial, `past_due` or `unpaid` after a failed renewal, `paused` after a trial without a card, otherwise `active` or `canceled`. `latest_invoice` is the id of the newest invoice.',
  }),

  update: defineWriteOperation({
    path: '/v1/subscriptions/:id',
    summary: 'Updates a subscription that is not canceled.',
    description:
      'Changes only the parameters in the body; `null` unsets a field. With `cancel_at_period_end`, the subscription ends with the current period, and a last invoice bills the pending invoice items; `false` undoes this. A new card does not retry open invoices: pay them separately. `items` changes, adds and removes items: `proration_behavior` determines the invoice for the remaining period. A different `interval`, or `billing_cycle_anchor: now`, starts a new period and bills it immediately. `trial_end` moves the end of a trial, and `now` ends it and bills the first period. `discount` redeems a coupon for the periods that start from now on, or after the trial; `null` ends the discount. A failed charge makes the subscription `past_due` and is not an error, unless `payment_behavior` is `error_if_incomplete`.',
    nulls: 'unset',
    params: subscriptionUpdateParams,
    response: subscriptionSchema,
    example: { cancel_at_period_end: true },
    mayDecline: true,
    validate: ({ pause_collection, ...change }, { now }) => [
      ...listSubscriptionChangeErrors(change),
      ...listPauseCollectionErrors(pause_collection, now),
    ],
    loadTime: createTimeReferenceLoader('subscriptions'),
    load: loadUpdate,
    when: ({ account }) => getTimeReference(account.subscription),
    decide: (records, { id: _id, ...fields }, context) => updateSubscription(records, fields, context),
  }),

  resume: defineWriteOperation({
    path: '/v1/subscriptions/:id/resume',
    summary: 'Resumes a paused subscription.',
    description:
      'A subscription is `paused` if its trial ended without a card and `missing_payment_method` is `pause`. Save a card first. The first period starts now and is charged; a failed charge makes the subscription `past_due` and is not an error.',
    params: idParams,
    response: subscriptionSchema,
    load: async (reader, params) =>
      loadSubscriptionBillingRecords(reader, await requireById(reader, 'subscriptions', params.id)),
    when: ({ subscription }) => getTimeReference(subscription),
    decide: (account, _params, context) => resumePausedSubscription(account, context),
  }),

  preview: defineWriteOperation({
    path: '/v1/subscriptions/:id/preview',
    summary: 'Previews the next invoice of a subscription, and changes nothing.',
    description:
      'Accepts the parameters of an update. Returns the invoice that the change would create immediately, or otherwise the next invoice after the change. Without parameters, returns the next invoice of the unchanged subscription. Without a next invoice, such as for a canceled subscription, the error is `invoice_upcoming_none`. Pass `proration_date` of the preview to the update to get the same amounts.',
    nulls: 'unset',
    params: previewParams,
    response: invoicePreviewSchema,
    cost: 'expensive',
    example: { interval: 'year' },
    validate: (params) => listSubscriptionChangeErrors(params),
    load: async (reader, { id, discount }) => {
      const subscription = await requireById(reader, 'subscriptions', id)
      const records = await loadBilled(reader, subscription)
      return { ...records, redemption: await loadCoupon(reader, subscription, discount) }
    },
    when: ({ account }) => getTimeReference(account.subscription),
    decide: (records, { id: _id, ...fields }, context) => ({
      changes: [],
      result: previewInvoice(records, fields, context),
    }),
  }),

  cancel: defineWriteOperation({
    path: '/v1/subscriptions/:id/cancel',
    summary: 'Cancels a subscription immediately, without a refund.',
    description:
      'Takes effect immediately and cannot be undone. Pending invoice items are deleted, unless `invoice_now` bills them. `prorate` creates a credit for the unused time. `invoice_now` bills this credit together with the other pending items, and charges a card once, without retries. To keep the subscription until the end of the paid period, update `cancel_at_period_end` instead.',
    params: cancellationParams,
    response: subscriptionSchema,
    example: { prorate: true, invoice_now: true },
    load: loadCancellation,
    when: ({ account }) => getTimeReference(account.subscription),
    decide: (records, { id: _id, ...fields }, context) => cancelSubscriptionNow(records, fields, context),
  }),

  delete: defineWriteOperation({
    method: 'DELETE',
    path: '/v1/subscriptions/:id',
    summary: 'Cancels a subscription immediately, without a refund.',
    description:
      'Does the same as `POST /v1/subscriptions/{id}/cancel` without parameters: pending invoice items are deleted. To keep the subscription until the end of the paid period, update `cancel_at_period_end` instead.',
    params: idParams,
    response: subscriptionSchema,
    load: loadCancellation,
    when: ({ account }) => getTimeReference(account.subscription),
    decide: (records, _params, context) => cancelSubscriptionNow(records, {}, context),
  }),
}

async function loadBilled(
  reader: StoreReader,
  subscription: Subscription,
): Promise<SubscriptionUpdateRecords> {
  return loadSubscriptionUpdateRecords(reader, await loadSubscriptionBillingRecords(reader, subscription))
}

async function loadCancellation(
  reader: StoreReader,
  { id }: { readonly id: string },
): Promise<SubscriptionUpdateRecords> {
  return loadBilled(reader, await requireById(reader, 'subscriptions', id))
}

async function loadUpdate(
  reader: StoreReader,
  { id, default_payment_method: card, discount }: SubscriptionUpdateParams & { readonly id: string },
): Promise<SubscriptionUpdateRecords> {
  const subscription = await requireById(reader, 'subscriptions', id)
  requireLiveSubscription(subscription, 'change')
  await loadCustomerCard(reader, subscription.customer, { param: 'default_payment_method', id: card })
  // An invoice that the update creates is charged to the new card.
  const charged = card === undefined ? subscription : { ...subscription, default_payment_method: card }
  const account = await loadSubscriptionBillingRecords(reader, charged)
  const redemption = await loadCoupon(reader, subscription, discount)
  return { ...(await loadSubscriptionUpdateRecords(reader, { ...account, subscription })), redemption }
}

async function loadCoupon(
  reader: StoreReader,
  { customer }: Subscription,
  discount: SubscriptionUpdateParams['discount'],
): Promise<Redemption | null> {
  return discount ? loadRequestedRedemption(reader, discount, { customer, param: 'discount' }) : null
}

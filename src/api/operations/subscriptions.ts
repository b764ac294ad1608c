import { cancelSubscriptionNow } from '../../domain/invoice-actions.ts'
import * as p from '../../domain/params.ts'
import { validatePauseCollection } from '../../domain/pause-collection.ts'
import {
  requireLiveSubscription,
  type Subscription,
  subscriptionSchema,
  subscriptionUpdateParams,
} from '../../domain/subscriptions.ts'
import { changeSubscription, resumePausedSubscription } from '../../domain/trials.ts'
import { effectiveTimeOf } from '../../engine/effective-time.ts'
import { loadBillingAccount } from '../../engine/load-billing.ts'
import { defineList } from '../core/lists.ts'
import { defineMutation, type Method, type Operation } from '../core/operation.ts'
import { defineRetrieve, idParams, requireById } from '../core/retrieve.ts'
import { loadCustomerCard } from './customer-cards.ts'

/** Operations on subscriptions, which completed checkout sessions create. */
export const subscriptions = {
  list: defineList('subscriptions', subscriptionSchema, {
    summary: 'Lists subscriptions, newest first.',
    description:
      'Returns subscriptions in every state, canceled ones included, unless you filter by `status`. `current_period_end` finds the renewals of a time span.',
    filters: {
      customer: p.id('Only subscriptions of this customer.'),
      status: p.choice(
        ['pending', 'trialing', 'active', 'past_due', 'unpaid', 'paused', 'canceled'],
        'Only subscriptions with this status.',
      ),
      collection_method: p.choice(
        ['charge_automatically', 'send_invoice'],
        'Only subscriptions with this collection method.',
      ),
    },
    ranges: ['created', 'current_period_end'],
  }),
  retrieve: defineRetrieve('subscriptions', subscriptionSchema, {
    summary: 'Retrieves a subscription.',
    description:
      '`status` is `pending` before the start date, `trialing` in a trial, `active`, `past_due` or `unpaid` when a renewal failed, `paused` after a trial without a card, or `canceled`. `latest_invoice` names the newest invoice.',
  }),

  update: defineMutation({
    path: '/v1/subscriptions/:id',
    summary: 'Updates a subscription that is not canceled.',
    description:
      'Changes only the parameters in the body; `null` unsets a field. `cancel_at_period_end` ends the subscription at the end of the current period, and `false` takes that back. A new card does not retry an open invoice: pay the invoice for that. `pause_collection` keeps new invoices as drafts, marks them as uncollectible or voids them until `resumes_at`; `null` resumes collection. `trial_end` moves the end of a trial, and `now` ends it and bills the first period; a failed charge makes the subscription `past_due` and is no error.',
    nulls: 'unset',
    params: subscriptionUpdateParams,
    response: subscriptionSchema,
    example: { cancel_at_period_end: true },
    validate: ({ pause_collection }, { now }) => validatePauseCollection(pause_collection, now),
    loadTime: async (reader, { id }) => {
      const subscription = await reader.get('subscriptions', id ?? '')
      return subscription && effectiveTimeOf(subscription)
    },
    load: async (reader, params) => {
      const subscription = await requireById(reader, 'subscriptions', params.id)
      requireLiveSubscription(subscription, 'change')
      const { default_payment_method = subscription.default_payment_method } = params
      await loadCustomerCard(reader, subscription.customer, {
        param: 'default_payment_method',
        id: params.default_payment_method,
      })
      // The end of a trial charges the new card.
      const account = await loadBillingAccount(reader, { ...subscription, default_payment_method })
      const trialTimer = await reader.get('timers', subscription.id)
      return { account: { ...account, subscription }, trialTimer }
    },
    when: ({ account: { subscription } }) => effectiveTimeOf(subscription),
    decide: (records, { id: _id, ...fields }, context) => changeSubscription(records, fields, context),
  }),

  resume: defineMutation({
    path: '/v1/subscriptions/:id/resume',
    summary: 'Resumes a paused subscription.',
    description:
      'A subscription is `paused` if its trial ended without a card and `missing_payment_method` is `pause`. Save a card first. The first period starts now and is charged; a failed charge makes the subscription `past_due` and is no error.',
    params: idParams,
    response: subscriptionSchema,
    load: async (reader, params) =>
      loadBillingAccount(reader, await requireById(reader, 'subscriptions', params.id)),
    when: ({ subscription }) => effectiveTimeOf(subscription),
    decide: (account, _params, context) => resumePausedSubscription(account, context),
  }),

  cancel: defineCancel(
    'POST',
    '/v1/subscriptions/:id/cancel',
    'Takes effect at once and cannot be undone; nothing is refunded or prorated. To keep the subscription until the end of the paid period, update `cancel_at_period_end` instead.',
  ),

  delete: defineCancel(
    'DELETE',
    '/v1/subscriptions/:id',
    'Does the same as `POST /v1/subscriptions/{id}/cancel`. To keep the subscription until the end of the paid period, update `cancel_at_period_end` instead.',
  ),
}

function defineCancel(
  method: Method,
  path: string,
  description: string,
): Operation<{ readonly id: string }, Subscription> {
  return defineMutation({
    method,
    path,
    summary: 'Cancels a subscription immediately, without a refund.',
    description,
    params: idParams,
    response: subscriptionSchema,
    load: async (reader, params) =>
      loadBillingAccount(reader, await requireById(reader, 'subscriptions', params.id)),
    when: ({ subscription }) => effectiveTimeOf(subscription),
    decide: (account, _params, context) => cancelSubscriptionNow(account, context),
  })
}

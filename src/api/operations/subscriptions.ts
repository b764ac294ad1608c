import type { BillingAccount } from '../../domain/billing-unit-of-work.ts'
import { cancelNow } from '../../domain/invoice-handling.ts'
import { requireLive, type Subscription, updateSubscription } from '../../domain/subscriptions.ts'
import { loadAccount } from '../../engine/load-billing.ts'
import { onClockOf } from '../../engine/time-source.ts'
import { listOperation } from '../core/lists.ts'
import { type Method, type Mutating, operation } from '../core/operation.ts'
import { byId, requireById, retrieveOperation } from '../core/retrieving.ts'
import { subscription } from '../resources/subscriptions.ts'
import { choice, flag, id, metadataUpdate, nullable, shape, text } from '../schema/schema.ts'
import { cardOfCustomer } from './customer-cards.ts'

/** What a completed checkout session set up. */
export const subscriptions = {
  list: listOperation({
    collection: 'subscriptions',
    path: '/v1/subscriptions',
    summary: 'Lists subscriptions in every state, newest first.',
    filters: {
      customer: id('Only subscriptions of this customer.'),
      status: choice(
        ['pending', 'active', 'past_due', 'unpaid', 'canceled'],
        'Only subscriptions in this state.',
      ),
      collection_method: choice(['charge_automatically', 'send_invoice'], 'Only those collected this way.'),
    },
    ranges: ['created', 'current_period_end'],
  }),
  retrieve: retrieveOperation('subscriptions', 'Retrieves a subscription.'),

  update: operation({
    method: 'POST',
    path: '/v1/subscriptions/:id',
    summary: 'Changes a subscription that has not ended; fields that are left out stay.',
    nulls: 'unset',
    params: shape(
      { id: id('The id of the subscription.') },
      {
        description: text(5000, 'What the subscription is.'),
        metadata: metadataUpdate(),
        default_payment_method: nullable(id("The card renewals charge; null charges the customer's.")),
        cancel_at_period_end: flag(
          'Whether it ends with the period it is in; one that is pending ends at its start date, without an invoice.',
        ),
      },
    ),
    answer: subscription,
    example: { cancel_at_period_end: true },
    load: async (reader, params) => {
      const subscription = await requireById(reader, 'subscriptions', params.id)
      requireLive(subscription, 'change')
      const given = { param: 'default_payment_method', id: params.default_payment_method }
      await cardOfCustomer(reader, subscription.customer, given)
      return subscription
    },
    when: onClockOf,
    decide: (subscription, { id: _id, ...fields }, context) => {
      const changes = updateSubscription(subscription, fields, context)
      return { changes, result: changes[0]?.after ?? subscription }
    },
  }),

  cancel: canceling('POST', '/v1/subscriptions/:id/cancel'),

  delete: canceling('DELETE', '/v1/subscriptions/:id'),
}

function canceling(
  method: Method,
  path: string,
): Mutating<{ readonly id: string }, BillingAccount, Subscription> {
  return operation({
    method,
    path,
    summary: 'Ends a subscription now, without a refund; its open invoices are no longer collected.',
    params: byId,
    answer: subscription,
    load: async (reader, params) =>
      loadAccount(reader, await requireById(reader, 'subscriptions', params.id)),
    when: ({ subscription }) => onClockOf(subscription),
    decide: (account, _params, context) => cancelNow(account, context),
  })
}

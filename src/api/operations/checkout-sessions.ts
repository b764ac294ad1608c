import { DomainError } from '../../domain/core/domain-error.ts'
import * as p from '../../domain/core/params.ts'
import type { Customer } from '../../domain/payments/customers.ts'
import {
  type CheckoutSessionParams,
  checkoutSessionParams,
  checkoutSessionSchema,
  createCheckoutSession,
  listCheckoutSessionErrors,
} from '../../domain/sessions/checkout-sessions.ts'
import type { Redemption } from '../../domain/sessions/discounts.ts'
import type { StoreReader } from '../../store/port/store.ts'
import { defineCompleteOperation } from './complete-session.ts'
import { EXAMPLE_IDS } from './example-requests.ts'
import { loadRequestedRedemption } from './redemptions.ts'
import { defineHostedSessionOperations } from './session-operations.ts'

const MAX_LIVE_SUBSCRIPTIONS = 500

/** Operations on checkout sessions, whose hosted page creates a subscription. */
export const checkoutSessions = {
  ...defineHostedSessionOperations('checkout_sessions', checkoutSessionSchema, {
    params: checkoutSessionParams,
    example: {
      currency: 'eur',
      customer: EXAMPLE_IDS.customers,
      payment_method_types: ['card'],
      subscription_data: {
        collection_method: 'charge_automatically',
        interval: 'month',
        items: [
          { description: 'Monthly rent', type: 'rent', price_data: { amount: 100_000, tax_percent: 20 } },
        ],
      },
      return_url: 'https://example.com/return',
    },
    validate: listCheckoutSessionErrors,
    load: loadDiscount,
    create: (params, { customer, others: redemption }, context) =>
      createCheckoutSession(params, customer, context, redemption),
    filters: { subscription: p.id('Only the session that created this subscription.') },
    createSummary: 'Creates a checkout session for a subscription.',
    createDescription:
      'Send the `url` of the response to the cardholder. When the cardholder submits a card, the session saves it, creates a subscription and charges the first invoice, unless `start_date` is in the future or the subscription uses `send_invoice`. Amounts are in minor units; tax is added on top.',
    listDescription:
      'Filter by customer, status, subscription or creation time to find the session of a purchase.',
    retrieveDescription:
      'Use it after the cardholder returns to your site: `status` is `open`, `complete` or `expired`, and `subscription` names the subscription of a complete session.',
  }),
  complete: defineCompleteOperation('checkout_sessions', checkoutSessionSchema),
}

async function loadDiscount(
  reader: StoreReader,
  { discounts: [given] = [] }: CheckoutSessionParams,
  customer: Customer,
): Promise<Redemption | null> {
  await requireSubscriptionCapacity(reader, customer)
  const param = 'discounts[0]'
  return given === undefined ? null : loadRequestedRedemption(reader, given, { customer: customer.id, param })
}

async function requireSubscriptionCapacity(reader: StoreReader, { id: customer }: Customer): Promise<void> {
  const query = { where: { live_customer: customer }, limit: MAX_LIVE_SUBSCRIPTIONS }
  const live = await reader.list('subscriptions', query)
  if (live.data.length < MAX_LIVE_SUBSCRIPTIONS) return
  throw new DomainError(
    'customer_max_subscriptions',
    `Customer '${customer}' has ${MAX_LIVE_SUBSCRIPTIONS} live subscriptions, which is the limit. Cancel one, or use another customer.`,
    { param: 'customer' },
  )
}

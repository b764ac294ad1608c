import { DomainError } from '../../domain/core/domain-error.ts'
import * as p from '../../domain/core/params.ts'
import { requireCustomer } from '../../domain/payments/customers.ts'
import {
  checkoutSessionParams,
  checkoutSessionSchema,
  createCheckoutSession,
  validateCheckoutSession,
} from '../../domain/sessions/checkout-sessions.ts'
import { effectiveTimeOf } from '../../engine/effective-time.ts'
import type { StoreReader } from '../../store/port/store.ts'
import { defineList } from '../core/lists.ts'
import { defineMutation } from '../core/operation.ts'
import { defineRetrieve } from '../core/retrieve.ts'
import { defineComplete } from './complete-session.ts'
import { EXAMPLE_CHECKOUT } from './example-requests.ts'
import { defineExpire } from './expire-session.ts'
import { loadCustomerTime } from './session-params.ts'

const MAX_LIVE_SUBSCRIPTIONS = 500

/** Operations on checkout sessions, whose hosted page creates a subscription. */
export const checkoutSessions = {
  create: defineMutation({
    path: '/v1/checkout_sessions',
    summary: 'Creates a checkout session for a subscription.',
    description:
      'Send the `url` of the response to the cardholder. When the cardholder submits a card, the session saves it, creates a subscription and charges the first invoice, unless `start_date` is in the future or the subscription uses `send_invoice`. Amounts are in minor units; tax is added on top.',
    params: checkoutSessionParams,
    response: checkoutSessionSchema,
    example: EXAMPLE_CHECKOUT,
    validate: (params, { now }) => validateCheckoutSession(params, now),
    loadTime: loadCustomerTime,
    load: async (reader, params) => {
      const customer = requireCustomer(await reader.get('customers', params.customer), params.customer)
      await requireSubscriptionCapacity(reader, customer.id)
      return customer
    },
    when: effectiveTimeOf,
    decide: (customer, params, context) => {
      const created = createCheckoutSession(params, customer, context)
      return { changes: [created], result: created.after }
    },
  }),

  list: defineList('checkout_sessions', checkoutSessionSchema, {
    summary: 'Lists checkout sessions, newest first.',
    description:
      'Filter by customer, status, subscription or creation time to find the session of a purchase.',
    filters: {
      customer: p.id('Only sessions of this customer.'),
      status: p.choice(['open', 'complete', 'expired'], 'Only sessions with this status.'),
      subscription: p.id('Only the session that created this subscription.'),
    },
  }),

  retrieve: defineRetrieve('checkout_sessions', checkoutSessionSchema, {
    summary: 'Retrieves a checkout session.',
    description:
      'Use it after the cardholder returns to your site: `status` is `open`, `complete` or `expired`, and `subscription` names the subscription of a complete session.',
  }),

  expire: defineExpire('checkout_sessions', checkoutSessionSchema, 'Expires an open checkout session.'),
  complete: defineComplete(
    'checkout_sessions',
    checkoutSessionSchema,
    'Completes an open checkout session with a test card.',
  ),
}

async function requireSubscriptionCapacity(reader: StoreReader, customer: string): Promise<void> {
  const query = { where: { live_customer: customer }, limit: MAX_LIVE_SUBSCRIPTIONS }
  const live = await reader.list('subscriptions', query)
  if (live.data.length < MAX_LIVE_SUBSCRIPTIONS) return
  throw new DomainError(
    'customer_max_subscriptions',
    `Customer '${customer}' has ${MAX_LIVE_SUBSCRIPTIONS} live subscriptions, which is the limit. Cancel one, or use another customer.`,
    { param: 'customer' },
  )
}

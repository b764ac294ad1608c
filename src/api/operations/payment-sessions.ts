import * as p from '../../domain/core/params.ts'
import { requireCustomer } from '../../domain/payments/customers.ts'
import {
  createPaymentSession,
  paymentSessionParams,
  paymentSessionSchema,
  validatePaymentSession,
} from '../../domain/sessions/payment-sessions.ts'
import { effectiveTimeOf } from '../../engine/effective-time.ts'
import { defineList } from '../core/lists.ts'
import { defineMutation } from '../core/operation.ts'
import { defineRetrieve } from '../core/retrieve.ts'
import { defineComplete } from './complete-session.ts'
import { EXAMPLE_PAYMENT } from './example-requests.ts'
import { defineExpire } from './expire-session.ts'
import { loadCustomerTime } from './session-params.ts'

/** Operations on payment sessions, whose hosted page collects one payment. */
export const paymentSessions = {
  create: defineMutation({
    path: '/v1/payment_sessions',
    summary: 'Creates a payment session for one payment.',
    description:
      'Send the `url` of the response to the cardholder. After the payment, the page redirects to `return_url`, where `{PAYMENT_SESSION_ID}` is replaced by the id. With `save_payment_method: true` the card is saved to the customer, and `POST /v1/payments` can charge it again; the page states this.',
    params: paymentSessionParams,
    response: paymentSessionSchema,
    example: EXAMPLE_PAYMENT,
    validate: (params, { now }) => validatePaymentSession(params, now),
    loadTime: loadCustomerTime,
    load: async (reader, params) =>
      requireCustomer(await reader.get('customers', params.customer), params.customer),
    when: effectiveTimeOf,
    decide: (customer, params, context) => {
      const created = createPaymentSession(params, customer, context)
      return { changes: [created], result: created.after }
    },
  }),

  list: defineList('payment_sessions', paymentSessionSchema, {
    summary: 'Lists payment sessions, newest first.',
    description: 'Filter by customer, status or creation time to find the session of a payment.',
    filters: {
      customer: p.id('Only sessions of this customer.'),
      status: p.choice(['open', 'complete', 'expired'], 'Only sessions with this status.'),
    },
  }),

  retrieve: defineRetrieve('payment_sessions', paymentSessionSchema, {
    summary: 'Retrieves a payment session.',
    description:
      'Use it after the cardholder returns to your site: `status` is `open`, `complete` or `expired`. Do not rely on the redirect alone, since anyone can open `return_url`.',
  }),

  expire: defineExpire('payment_sessions', paymentSessionSchema, 'Expires an open payment session.'),
  complete: defineComplete(
    'payment_sessions',
    paymentSessionSchema,
    'Completes an open payment session with a test card.',
  ),
}

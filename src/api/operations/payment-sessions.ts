import {
  createPaymentSession,
  listPaymentSessionErrors,
  paymentSessionParams,
  paymentSessionSchema,
} from '../../domain/sessions/payment-sessions.ts'
import { defineCompleteOperation } from './complete-session.ts'
import { EXAMPLE_IDS } from './example-requests.ts'
import { defineHostedSessionOperations } from './session-operations.ts'

/** Operations on payment sessions, whose hosted page collects one payment. */
export const paymentSessions = {
  ...defineHostedSessionOperations('payment_sessions', paymentSessionSchema, {
    params: paymentSessionParams,
    example: {
      amount: 1250,
      currency: 'eur',
      customer: EXAMPLE_IDS.customers,
      payment_method_types: ['card'],
      return_url: 'https://example.com/return',
      locale: 'de',
      description: 'Two coffees',
    },
    validate: listPaymentSessionErrors,
    load: async () => null,
    create: (params, { customer }, context) => createPaymentSession(params, customer, context),
    filters: {},
    createSummary: 'Creates a payment session for one payment.',
    createDescription:
      'Send the `url` of the response to the cardholder. After the payment, the page redirects to `return_url`, where `{PAYMENT_SESSION_ID}` is replaced by the id. With `save_payment_method: true` the card is saved to the customer, and `POST /v1/payments` can charge it again; the page states this.',
    listDescription: 'Filter by customer, status or creation time to find the session of a payment.',
    retrieveDescription:
      'Use it after the cardholder returns to your site: `status` is `open`, `complete` or `expired`. Do not rely on the redirect alone, since anyone can open `return_url`.',
  }),
  complete: defineCompleteOperation('payment_sessions', paymentSessionSchema),
}

import { endWait } from '../../domain/authentications.ts'
import { requireCustomer } from '../../domain/customers.ts'
import { createPaymentSession, expirePaymentSession } from '../../domain/payment-sessions.ts'
import { refuseWhileProcessing } from '../../domain/processing.ts'
import { expiryProblems, nameOf, requireOpen } from '../../domain/sessions.ts'
import { onClockOf } from '../../engine/time-source.ts'
import { loadWaiting } from '../../engine/waiting.ts'
import { listOperation } from '../core/lists.ts'
import { operation } from '../core/operation.ts'
import { byId, requireById, retrieveOperation } from '../core/retrieving.ts'
import { paymentSession } from '../resources/payment-sessions.ts'
import { amount, choice, currency, id, list, shape, text, url } from '../schema/schema.ts'
import { completeOperation } from './completing.ts'
import { EXAMPLE_PAYMENT } from './example-requests.ts'
import { clockOfCustomer, sessionFields } from './session-fields.ts'

/** One payment to collect through a shareable URL. */
export const paymentSessions = {
  create: operation({
    method: 'POST',
    path: '/v1/payment_sessions',
    summary: 'Creates a payment session: its url collects one payment.',
    params: shape(
      {
        amount: amount(1, 'Amount to collect in minor units: 1250 with eur is 12.50 EUR.'),
        currency: currency('Lower-case currency code.'),
        customer: id('The customer who will pay.'),
        payment_method_types: list(
          choice(['card'], 'How the buyer may pay.', 'payment_method_type_unsupported'),
          100,
          'How the buyer may pay; only `card`.',
        ),
        return_url: url('Where the buyer goes after paying.'),
      },
      { description: text(5000, 'What the payment is for, shown to the buyer.'), ...sessionFields },
    ),
    answer: paymentSession,
    example: EXAMPLE_PAYMENT,
    faults: ({ expires_at }, { now }) => (now === null ? [] : expiryProblems(expires_at, now)),
    clock: clockOfCustomer,
    load: async (reader, params) =>
      requireCustomer(await reader.get('customers', params.customer), params.customer),
    when: onClockOf,
    decide: (customer, params, context) => {
      const created = createPaymentSession(params, customer, context)
      return { changes: [created], result: created.after }
    },
  }),

  list: listOperation({
    collection: 'payment_sessions',
    path: '/v1/payment_sessions',
    summary: 'Lists payment sessions, newest first.',
    filters: {
      customer: id('Only sessions of this customer.'),
      status: choice(['open', 'complete', 'expired'], 'Only sessions in this state.'),
    },
  }),

  retrieve: retrieveOperation('payment_sessions', 'Retrieves a payment session.'),

  expire: operation({
    method: 'POST',
    path: '/v1/payment_sessions/:id/expire',
    summary: 'Expires an open payment session: its url stops working.',
    params: byId,
    answer: paymentSession,
    load: async (reader, params) => ({
      session: await requireById(reader, 'payment_sessions', params.id),
      waiting: await loadWaiting(reader, params.id),
    }),
    when: ({ session }) => onClockOf(session),
    decide: ({ session, waiting }, _params, context) => {
      refuseWhileProcessing(waiting.payment, `expire ${nameOf(session)}`)
      requireOpen(session, 'expire', context.now)
      const changes = expirePaymentSession(session, { reason: 'api', payment: waiting.payment }, context)
      const { after } = changes.at(-1) ?? {}
      return { changes: [...changes, ...endWait(waiting.authentication)], result: after as typeof session }
    },
  }),

  complete: completeOperation(
    'payment_sessions',
    'Completes an open payment session as its buyer would on the page.',
  ),
}

import { completeInvoiceAuthentication } from '../../domain/billing/invoice-actions.ts'
import { capturePayment } from '../../domain/completion/payment-capture.ts'
import { completeSessionAuthentication } from '../../domain/completion/session-submission.ts'
import type { Decision, RuleContext } from '../../domain/core/changes.ts'
import { requireStatus } from '../../domain/core/domain-error.ts'
import * as p from '../../domain/core/params.ts'
import {
  apiPaymentParams,
  cancelPaymentOnRequest,
  chargeSavedCard,
  completePaymentAuthentication,
} from '../../domain/payments/api-payments.ts'
import { requireCustomer } from '../../domain/payments/customers.ts'
import {
  disputeSchema,
  openDispute,
  openDisputeParams,
  requireInquiryCapacity,
} from '../../domain/payments/disputes.ts'
import { type Payment, paymentSchema } from '../../domain/payments/payments.ts'
import {
  loadApiPaymentRecords,
  loadInvoiceRecords,
  loadPaymentWithSession,
} from '../../engine/load-billing.ts'
import { loadOpenInquiries, loadReferencedRecord, loadReferencedSession } from '../../engine/load-related.ts'
import { loadSessionRecords } from '../../engine/load-session-records.ts'
import { loadPaymentWithAuthentication } from '../../engine/pending-authentication.ts'
import { getTimeReference } from '../../engine/time-reference.ts'
import type { StoreReader } from '../../store/port/store.ts'
import { createFieldFilters, defineListOperation } from '../core/lists.ts'
import { defineWriteOperation } from '../core/operation.ts'
import { defineRetrieveOperation, idParams, requireById } from '../core/retrieve.ts'
import { loadCustomerCard } from './customer-cards.ts'
import { EXAMPLE_IDS } from './example-requests.ts'

/** Operations on payments: each attempt to charge a card is one payment. */
export const payments = {
  create: defineWriteOperation({
    path: '/v1/payments',
    summary: 'Charges a saved card.',
    description:
      'Charges the given card (default: the default card of the customer) without a page. A decline returns 402 with the failed payment in `error.payment`; it is never retried. With `off_session: false`, a card that requires 3-D Secure returns 402 `authentication_required`. Then send the customer to the URL in `error.payment.next_action` within 24 hours, or the payment is canceled. With `capture_method: manual`, the amount is only reserved: capture it within seven days. A saved bank account is debited: the payment is `processing` until its outcome some days later. Always send an `Idempotency-Key`, so that a repeated request does not charge the card twice.',
    params: apiPaymentParams,
    response: paymentSchema,
    example: {
      amount: 4500,
      currency: 'eur',
      customer: EXAMPLE_IDS.customers,
      description: 'API calls in March',
      metadata: { month: '2026-03' },
    },
    mayDecline: true,
    load: async (reader, { customer: id, payment_method }) => {
      const customer = requireCustomer(await reader.get('customers', id), id)
      const card = await loadCustomerCard(reader, id, { param: 'payment_method', id: payment_method })
      return loadApiPaymentRecords(reader, customer, card)
    },
    when: ({ customer }) => getTimeReference(customer),
    decide: chargeSavedCard,
  }),

  list: defineListOperation('payments', paymentSchema, {
    description:
      'Each attempt to charge a card is one payment, failed attempts included. Filter by invoice or session to see every attempt to pay this invoice or session.',
    filters: createFieldFilters(paymentSchema, {
      customer: 'Only payments of this customer.',
      status: 'Only payments with this status.',
      invoice: 'Only payments of this invoice.',
      payment_session: 'Only payments of this payment session.',
      checkout_session: 'Only payments of this checkout session.',
    }),
  }),
  retrieve: defineRetrieveOperation('payments', paymentSchema, {
    description:
      'A failed payment has `failure_code`, `decline_code` and an `outcome`, which advises whether to try again. `amount_captured` is the collected amount and `amount_refunded` the total of its refunds, in minor units.',
  }),

  capture: defineWriteOperation({
    path: '/v1/payments/:id/capture',
    summary: 'Captures a reserved amount.',
    description:
      'Collects the reserved amount of a payment with `capture_method: manual`, or a part of it, and releases the remaining amount. A payment can be captured once, before `capture_before`; its payment session then becomes `paid`. For a payment with a status other than `requires_capture`, the response is `payment_unexpected_state`. A decline returns 402, and the payment can be captured again.',
    params: p.shape(
      { id: p.id('The id of the payment.') },
      { amount: p.amount(1, 'Amount in minor units (default: the whole reserved amount).') },
    ),
    response: paymentSchema,
    example: { amount: 3000 },
    mayDecline: true,
    load: async (reader, { id }) => loadPaymentWithSession(reader, await requireById(reader, 'payments', id)),
    when: ({ payment }) => getTimeReference(payment),
    decide: capturePayment,
  }),

  cancel: defineWriteOperation({
    path: '/v1/payments/:id/cancel',
    summary: 'Cancels a payment that requires authentication or capture.',
    description:
      'The page of the payment then shows that nothing was charged. A reserved amount is released, and its session stays `complete` and `unpaid`; the session or invoice of a payment that requires authentication stays open. Only a payment with status `requires_action` or `requires_capture` can be canceled; for any other payment the response is `payment_unexpected_state`.',
    params: idParams,
    response: paymentSchema,
    load: async (reader, { id }) =>
      loadPaymentWithAuthentication(reader, await requireById(reader, 'payments', id)),
    when: ({ payment }) => getTimeReference(payment),
    decide: (pending, _params, context) => cancelPaymentOnRequest(pending, context),
  }),

  // Completes 3-D Secure without a browser, by the same rules as the hosted page.
  authenticate: defineWriteOperation({
    path: '/v1/test_helpers/payments/:id/authenticate',
    summary: 'Approves or rejects 3-D Secure for a payment.',
    description:
      'A test helper that approves or rejects for the cardholder, with the same effects and events as the page at `next_action`. An approval passes the charge to the issuer; a decline returns 402. The payment must have the status `requires_action`.',
    params: p.shape(
      { id: p.id('The id of the payment.') },
      {
        three_d_secure: p.choice(
          ['approve', 'reject'],
          'Result of 3-D Secure authentication (default: approve).',
        ),
      },
    ),
    response: paymentSchema,
    example: { three_d_secure: 'approve' },
    mayDecline: true,
    load: async (reader, { id }) => {
      const payment = await requireById(reader, 'payments', id)
      return { payment, authenticate: await loadAuthenticate(reader, payment) }
    },
    when: ({ payment }) => getTimeReference(payment),
    decide: ({ payment, authenticate }, { three_d_secure }, context) => {
      requireStatus(payment, ['requires_action'], 'authenticate')
      const decision = authenticate(three_d_secure !== 'reject', context)
      if ('error' in decision) return decision
      const result = decision.changes.findLast(({ after }) => after?.id === payment.id)?.after as Payment
      return { changes: decision.changes, result }
    },
  }),

  dispute: defineWriteOperation({
    path: '/v1/test_helpers/payments/:id/dispute',
    summary: 'Disputes a succeeded payment.',
    description:
      'A test helper that disputes the payment for the cardholder. The amount is withdrawn until you win the dispute. With `inquiry`, the bank only requests information and withdraws nothing. Several disputes are possible up to the amount of the payment. Submit evidence with `POST /v1/disputes/:id`.',
    params: openDisputeParams,
    response: disputeSchema,
    example: { reason: 'fraudulent', amount: 500 },
    load: async (reader, { id, inquiry = false }) => {
      const payment = await requireById(reader, 'payments', id)
      return { payment, inquiries: inquiry ? await loadOpenInquiries(reader, payment) : [] }
    },
    when: ({ payment }) => getTimeReference(payment),
    decide: ({ payment, inquiries }, { id: _id, ...fields }, context) => {
      requireInquiryCapacity(payment, inquiries)
      return openDispute(payment, fields, context)
    },
  }),
}

type Authenticate = (isApproved: boolean, context: RuleContext) => Decision<unknown>

async function loadAuthenticate(reader: StoreReader, payment: Payment): Promise<Authenticate> {
  const { checkout_session, payment_session, invoice: invoiceId } = payment
  const sessionId = checkout_session ?? payment_session
  if (sessionId !== null) {
    const records = await loadSessionRecords(reader, await loadReferencedSession(reader, sessionId))
    return (isApproved, context) => completeSessionAuthentication(records, isApproved, context)
  }
  if (invoiceId !== null) {
    const records = await loadInvoiceRecords(
      reader,
      await loadReferencedRecord(reader, 'invoices', invoiceId),
    )
    return (isApproved, context) => completeInvoiceAuthentication(records, isApproved, context)
  }
  const pending = await loadPaymentWithAuthentication(reader, payment)
  return (isApproved, context) => completePaymentAuthentication(pending, isApproved, context)
}

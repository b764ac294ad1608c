import { completeInvoiceAuthentication } from '../../domain/billing/invoice-actions.ts'
import { completeAuthentication } from '../../domain/completion/session-submission.ts'
import type { Decision, RuleContext } from '../../domain/core/changes.ts'
import * as p from '../../domain/core/params.ts'
import {
  completePaymentAuthentication,
  requireAwaitingAuthentication,
} from '../../domain/payments/api-payments.ts'
import { type Payment, paymentSchema } from '../../domain/payments/payments.ts'
import { effectiveTimeOf } from '../../engine/effective-time.ts'
import { loadInvoiceRecords } from '../../engine/load-billing.ts'
import { requireRecord, requireSession } from '../../engine/load-related.ts'
import { loadSessionRecords } from '../../engine/load-session-records.ts'
import { loadPaymentWithAuthentication } from '../../engine/pending-authentication.ts'
import type { StoreReader } from '../../store/port/store.ts'
import { defineMutation } from '../core/operation.ts'
import { requireById } from '../core/retrieve.ts'

type Authenticate = (isApproved: boolean, context: RuleContext) => Decision<unknown>

/** Completes 3-D Secure without a browser, by the same rules as the hosted page. */
export const authenticatePayment = defineMutation({
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
  when: ({ payment }) => effectiveTimeOf(payment),
  decide: ({ payment, authenticate }, { three_d_secure }, context) => {
    requireAwaitingAuthentication(payment, 'authenticate')
    const decision = authenticate(three_d_secure !== 'reject', context)
    if ('error' in decision) return decision
    const result = decision.changes.findLast(({ after }) => after?.id === payment.id)?.after as Payment
    return { changes: decision.changes, result }
  },
})

async function loadAuthenticate(reader: StoreReader, payment: Payment): Promise<Authenticate> {
  const { checkout_session, payment_session, invoice: invoiceId } = payment
  const sessionId = checkout_session ?? payment_session
  if (sessionId !== null) {
    const records = await loadSessionRecords(reader, await requireSession(reader, sessionId))
    return (isApproved, context) => completeAuthentication(records, isApproved, context)
  }
  if (invoiceId !== null) {
    const records = await loadInvoiceRecords(reader, await requireRecord(reader, 'invoices', invoiceId))
    return (isApproved, context) => completeInvoiceAuthentication(records, isApproved, context)
  }
  const pending = await loadPaymentWithAuthentication(reader, payment)
  return (isApproved, context) => completePaymentAuthentication(pending, isApproved, context)
}

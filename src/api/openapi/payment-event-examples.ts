import { settleDebit } from '../../domain/completion/debit-outcome.ts'
import { capturePayment } from '../../domain/completion/payment-capture.ts'
import type { Customer } from '../../domain/payments/customers.ts'
import { decideDispute, openDispute, updateDisputeEvidence } from '../../domain/payments/disputes.ts'
import { cancelPayment, type Payment } from '../../domain/payments/payments.ts'
import { createRefund, failRefund, succeedRefund } from '../../domain/payments/refunds.ts'
import type { PaymentSession } from '../../domain/sessions/payment-sessions.ts'
import { disputes } from '../operations/disputes.ts'
import { payments } from '../operations/payments.ts'
import { refunds } from '../operations/refunds.ts'
import {
  type AddEvents,
  createContextAfter,
  EXAMPLE_CONTEXT,
  getExampleParams,
  getLastState,
  payExampleSession,
} from './example-context.ts'

/** Adds the events of payments, refunds and disputes. */
export function addPaymentEvents(add: AddEvents, customer: Customer): void {
  add(payExampleSession(customer, 'visa').changes)
  add(payExampleSession(customer, 'insufficient_funds').changes)
  const authenticating = payExampleSession(customer, 'sca_always').changes
  add(authenticating)
  add([cancelPayment(getLastState<Payment>(authenticating, 'payment'), 'superseded', EXAMPLE_CONTEXT)])
  const held = payExampleSession(customer, 'visa', { capture_method: 'manual' }).changes
  const reserved = {
    payment: getLastState<Payment>(held, 'payment'),
    session: getLastState<PaymentSession>(held, 'payment_session'),
  }
  add([...held, ...capturePayment(reserved, {}, EXAMPLE_CONTEXT).changes])
  addDebitEvents(add, customer, 'sepa_debit')
  addDebitEvents(add, customer, 'sepa_debit_fails')
  add(createExampleRefund(customer, 'visa').changes)
  const pending = createExampleRefund(customer, 'refund_async')
  add([...pending.changes, succeedRefund(pending.refund)])
  const failed = createExampleRefund(customer, 'refund_fails')
  add(failRefund(failed.refund, failed.payment))
  addDisputeEvents(add, customer)
}

function addDebitEvents(add: AddEvents, customer: Customer, account: string): void {
  const { changes } = payExampleSession(customer, account, { payment_method_types: ['card', 'sepa_debit'] })
  const [payment, session] = [
    getLastState<Payment>(changes, 'payment'),
    getLastState<PaymentSession>(changes, 'payment_session'),
  ]
  const outcome = createContextAfter(3)
  add(settleDebit({ payment, session, owed: null }, outcome), outcome)
}

// Adds the events of a dispute: the evidence is submitted immediately, and the dispute is won an hour later.
function addDisputeEvents(add: AddEvents, customer: Customer): void {
  const payment = getLastState<Payment>(payExampleSession(customer, 'visa').changes, 'payment')
  const { changes, result } = openDispute(payment, getExampleParams(payments.dispute), EXAMPLE_CONTEXT)
  const answered = updateDisputeEvidence(result, getExampleParams(disputes.update), EXAMPLE_CONTEXT)
  const decided = createContextAfter(1 / 24)
  add([...changes, ...answered.changes])
  add(decideDispute(answered.result, getLastState<Payment>(changes, 'payment'), decided), decided)
}

function createExampleRefund(customer: Customer, card: string) {
  const payment = getLastState<Payment>(payExampleSession(customer, card).changes, 'payment')
  const { changes, result: refund } = createRefund(payment, getExampleParams(refunds.create), EXAMPLE_CONTEXT)
  return { refund, changes, payment: getLastState<Payment>(changes, 'payment') }
}

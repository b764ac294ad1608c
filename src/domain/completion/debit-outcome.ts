import type { InvoiceActionRecords } from '../billing/billing-cycle.ts'
import { settleInvoiceDebit } from '../billing/invoice-debits.ts'
import type { Change, RuleContext } from '../core/changes.ts'
import { findDebitFailure } from '../payments/debits.ts'
import { failPayment, type Payment, succeedPayment } from '../payments/payments.ts'
import { endSessionDebit, type PaymentSession } from '../sessions/payment-sessions.ts'

/** A debit without an outcome, with the payment session or the invoice that the debit pays. */
export interface DebitRecords {
  readonly payment: Payment
  readonly session: PaymentSession | null
  readonly owed: InvoiceActionRecords | null
}

/** Ends a debit at its outcome: first the payment succeeds or fails, then its invoice or payment session. */
export function settleDebit({ payment, session, owed }: DebitRecords, context: RuleContext): Change[] {
  const failure = findDebitFailure(payment, context)
  const settled =
    failure === null ? succeedPayment(payment, {}, context) : failPayment(payment, failure, context)
  return [
    settled,
    ...(owed === null ? [] : settleInvoiceDebit(owed, { payment: payment.id, failure }, context)),
    ...(session === null ? [] : [endSessionDebit(session, failure === null)]),
  ]
}

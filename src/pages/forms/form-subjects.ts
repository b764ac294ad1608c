import type { InvoiceRecords } from '../../domain/billing/billing-cycle.ts'
import type { Invoice } from '../../domain/billing/invoices.ts'
import type { AnySession } from '../../domain/completion/any-session.ts'
import type { InvoiceSubmissionResult } from '../../domain/completion/invoice-submission.ts'
import type { SessionRecords, SessionSubmissionResult } from '../../domain/completion/session-submission.ts'
import type { PaymentWithAuthentication } from '../../domain/payments/api-payments.ts'
import { isDeletedCustomer } from '../../domain/payments/customers.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import { effectiveTimeOf } from '../../engine/effective-time.ts'
import { findSession } from '../../engine/find-session.ts'
import { loadInvoiceRecords } from '../../engine/load-billing.ts'
import { loadSessionRecords } from '../../engine/load-session-records.ts'
import {
  loadPaymentWithAuthentication,
  loadPendingAuthentication,
} from '../../engine/pending-authentication.ts'
import type { FormSubject, TransactionReader } from './form-submission.ts'

/** Creates the subject of a session's form. It loads null unless the session is open. */
export function createSessionSubject({
  object,
  id,
}: AnySession): FormSubject<SessionRecords, SessionSubmissionResult> {
  return {
    id,
    async load(reader) {
      const session = await findSession(reader, object, id)
      // Only an open session certainly still has a customer.
      return session?.status === 'open' ? loadSessionRecords(reader, session) : null
    },
    when: ({ session }) => effectiveTimeOf(session),
    toOutcome: (submitted) => (submitted.kind === 'authenticate' ? submitted : { kind: submitted.kind }),
  }
}

/** Creates the subject of an invoice's payment form. It loads null unless the invoice can be paid. */
export function createInvoicePaymentSubject({
  id,
}: Invoice): FormSubject<InvoiceRecords, InvoiceSubmissionResult> {
  return {
    id,
    async load(reader) {
      const invoice = await reader.get('invoices', id)
      return invoice !== null && (await isPayableInvoice(reader, invoice))
        ? loadInvoiceRecords(reader, invoice)
        : null
    },
    when: ({ invoice }) => effectiveTimeOf(invoice),
    toOutcome: (submitted) => (submitted.kind === 'authenticate' ? submitted : { kind: submitted.kind }),
  }
}

/** Returns whether an invoice can still be paid or collected. */
export function isUnpaidInvoice({ status }: Invoice): boolean {
  return status === 'open' || status === 'uncollectible'
}

/** Returns whether an invoice is unpaid and its customer was not deleted. */
export async function isPayableInvoice(reader: TransactionReader, invoice: Invoice): Promise<boolean> {
  const customer = await reader.get('customers', invoice.customer)
  return isUnpaidInvoice(invoice) && customer !== null && !isDeletedCustomer(customer)
}

/** Creates the subject of an invoice's 3-D Secure form. It loads null unless the payment awaits authentication. */
export function createInvoiceAuthenticationSubject(
  { id }: Invoice,
  payment: Payment,
): FormSubject<InvoiceRecords, Invoice> {
  return {
    id,
    async load(reader) {
      const invoice = await reader.get('invoices', id)
      const { authentication } = await loadPendingAuthentication(reader, id)
      // Settling an invoice removes its authentication, so no status check is needed.
      const isWaiting = authentication?.payment === payment.id
      return invoice !== null && isWaiting ? loadInvoiceRecords(reader, invoice) : null
    },
    when: ({ invoice }) => effectiveTimeOf(invoice),
    toOutcome: () => ({ kind: 'done' }),
  }
}

/** Creates the subject of an API payment's 3-D Secure form. It loads null unless the payment awaits authentication. */
export function createApiPaymentSubject({ id }: Payment): FormSubject<PaymentWithAuthentication, Payment> {
  return {
    id,
    async load(reader) {
      const payment = await reader.get('payments', id)
      return payment?.status === 'requires_action' ? loadPaymentWithAuthentication(reader, payment) : null
    },
    when: ({ payment }) => effectiveTimeOf(payment),
    toOutcome: () => ({ kind: 'done' }),
  }
}

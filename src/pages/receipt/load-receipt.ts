import type { Invoice } from '../../domain/billing/invoices.ts'
import { isDeleted } from '../../domain/core/changes.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import type { CheckoutSession } from '../../domain/sessions/checkout-sessions.ts'
import { hasTrial } from '../../domain/sessions/checkout-start.ts'
import type { PaymentSession } from '../../domain/sessions/payment-sessions.ts'
import type { TransactionReader } from '../forms/form-submission.ts'
import type { PageView } from '../view/page-view.ts'
import { describeInterval } from '../view/subscription-terms.ts'
import type { Receipt } from './receipt.ts'
import {
  createInvoiceReceiptContent,
  createPaymentReceiptContent,
  createSessionReceiptContent,
} from './receipt-content.ts'

/** Loads the receipt of a complete checkout or payment session, from its invoice, its payment or its order. */
export async function loadSessionReceipt(
  reader: TransactionReader,
  session: CheckoutSession | PaymentSession,
  view: PageView,
): Promise<Receipt> {
  const payment = await reader.get('payments', session.payment ?? '')
  if (session.object === 'checkout_session') {
    const started = session.completed_at ?? session.created
    // Ignore the invoice of a trial, because the invoice has no amounts.
    const invoice = hasTrial(session, started) ? null : await reader.get('invoices', session.invoice ?? '')
    if (invoice !== null) return loadInvoiceReceipt(reader, invoice, view)
  }
  const order =
    session.object === 'checkout_session'
      ? createSessionReceiptContent(session, describeInterval(session, view.language))
      : createPaymentReceiptContent(session, payment?.amount_captured ?? 0)
  const customer = await loadCustomer(reader, session.customer)
  return { order, invoice: null, payment, seller: view.brand.name, customer }
}

/** Loads the receipt of a paid or void invoice. */
export async function loadInvoiceReceipt(
  reader: TransactionReader,
  invoice: Invoice,
  view: PageView,
): Promise<Receipt> {
  const latest = await reader.get('payments', invoice.latest_payment ?? '')
  const customer = await loadCustomer(reader, invoice.customer)
  return {
    order: createInvoiceReceiptContent(invoice),
    invoice,
    // The latest payment of an invoice that was paid out of band has failed or was canceled.
    payment: latest?.status === 'succeeded' ? latest : null,
    seller: view.brand.name,
    customer: { name: customer?.name ?? null, email: invoice.customer_email },
  }
}

/** Loads the receipt of an API payment. */
export async function loadPaymentReceipt(
  reader: TransactionReader,
  payment: Payment,
  view: PageView,
): Promise<Receipt> {
  return {
    order: createPaymentReceiptContent(payment, payment.amount_captured),
    invoice: null,
    payment,
    seller: view.brand.name,
    customer: await loadCustomer(reader, payment.customer),
  }
}

/** Loads the name and email address of a customer; null when the customer was deleted. */
async function loadCustomer(reader: TransactionReader, id: string): Promise<Receipt['customer']> {
  const customer = await reader.get('customers', id)
  return customer === null || isDeleted(customer) ? null : customer
}

import type { InvoiceActionRecords } from '../domain/billing/billing-cycle.ts'
import type { BillingRecords } from '../domain/billing/billing-unit-of-work.ts'
import type { CollectionHistory } from '../domain/billing/charge-invoice.ts'
import type { Invoice } from '../domain/billing/invoices.ts'
import type { Subscription } from '../domain/billing/subscriptions.ts'
import type { DebitRecords } from '../domain/completion/debit-outcome.ts'
import type { PaymentWithSession } from '../domain/completion/payment-capture.ts'
import { isDeleted } from '../domain/core/changes.ts'
import {
  getAlternatingCounterId,
  getPaymentAttemptCounterId,
  INVOICE_COUNTER_ID,
} from '../domain/core/counters.ts'
import type { SavedCardChargeRecords } from '../domain/payments/api-payments.ts'
import type { Customer } from '../domain/payments/customers.ts'
import type { PaymentMethod } from '../domain/payments/payment-methods.ts'
import type { Payment } from '../domain/payments/payments.ts'
import type { StoreReader } from '../store/port/store.ts'
import { loadMatching, loadPendingInvoiceItems, loadReferencedRecord } from './load-related.ts'
import { loadPendingAuthentication } from './pending-authentication.ts'

/** Loads the records that the domain rules need to bill a subscription. */
export async function loadSubscriptionBillingRecords(
  reader: StoreReader,
  subscription: Subscription,
): Promise<BillingRecords> {
  const customer = await loadReferencedRecord(reader, 'customers', subscription.customer)
  return {
    subscription,
    customer,
    invoices: await loadMatching(reader, 'invoices', { where: { unsettled_subscription: subscription.id } }),
    card: isDeleted(customer)
      ? null
      : await findAttachedCard(reader, customer, subscription.default_payment_method),
    invoiceCounter: await reader.get('counters', INVOICE_COUNTER_ID),
    pendingItems: await loadPendingInvoiceItems(reader, { pending_subscription: subscription.id }),
    alternatingCharges: await reader.get('counters', getAlternatingCounterId(subscription.customer)),
  }
}

/** Loads a card of a customer, or the default card for null; resolves with null for a missing or detached card. */
export async function findAttachedCard(
  reader: StoreReader,
  customer: Customer,
  chosen: string | null,
): Promise<PaymentMethod | null> {
  const id = chosen ?? customer.default_payment_method
  const card = id === null ? null : await reader.get('payment_methods', id)
  return card?.customer === customer.id ? card : null
}

/** Loads the records that the domain rules need to charge a saved card (default: the default card of the customer). */
export async function loadApiPaymentRecords(
  reader: StoreReader,
  customer: Customer,
  given: PaymentMethod | null,
): Promise<SavedCardChargeRecords> {
  const card = given ?? (await findAttachedCard(reader, customer, null))
  return {
    customer,
    card,
    alternatingCharges: await reader.get('counters', getAlternatingCounterId(customer.id)),
    cardAttempts: card && (await reader.get('counters', getPaymentAttemptCounterId(card.id))),
  }
}

/** Loads an invoice with its billing account and its collection history. */
export async function loadInvoiceRecords(
  reader: StoreReader,
  invoice: Invoice,
): Promise<InvoiceActionRecords> {
  const subscription = await loadReferencedRecord(reader, 'subscriptions', invoice.subscription ?? '')
  return {
    account: await loadSubscriptionBillingRecords(reader, subscription),
    invoice,
    history: await loadInvoiceCollectionHistory(reader, invoice),
  }
}

/** Loads a debit with the payment session or the invoice that it pays. */
export async function loadDebitRecords(reader: StoreReader, payment: Payment): Promise<DebitRecords> {
  const { invoice } = payment
  return {
    ...(await loadPaymentWithSession(reader, payment)),
    owed:
      invoice === null
        ? null
        : await loadInvoiceRecords(reader, await loadReferencedRecord(reader, 'invoices', invoice)),
  }
}

/** Loads a payment with its payment session, which is null for other payments. */
export async function loadPaymentWithSession(
  reader: StoreReader,
  payment: Payment,
): Promise<PaymentWithSession> {
  const id = payment.payment_session
  return {
    payment,
    session: id === null ? null : await loadReferencedRecord(reader, 'payment_sessions', id),
  }
}

/** Loads the earlier attempts to collect an invoice. */
export async function loadInvoiceCollectionHistory(
  reader: StoreReader,
  { id, attempted }: Invoice,
): Promise<CollectionHistory> {
  const { authentication, payment } = await loadPendingAuthentication(reader, id)
  const payments = attempted ? await loadMatching(reader, 'payments', { where: { invoice: id } }) : []
  const declineLog = await reader.get('traceless_declines', id)
  return { payments: payments.reverse(), authentication, pendingPayment: payment, declineLog }
}

import type { Owing } from '../domain/billing.ts'
import type { BillingAccount } from '../domain/billing-unit-of-work.ts'
import type { Tried } from '../domain/charge-invoice.ts'
import { alternatingCounter, INVOICE_COUNTER } from '../domain/counters.ts'
import { type Customer, type DeletedCustomer, isDeleted } from '../domain/customers.ts'
import type { Invoice } from '../domain/invoices.ts'
import type { PaymentMethod } from '../domain/payment-methods.ts'
import type { Subscription } from '../domain/subscriptions.ts'
import type { Reader } from '../store/port/store.ts'
import { loadAll } from './load-related.ts'
import { loadWaiting } from './waiting.ts'

/** Loads all that billing a subscription needs to know. */
export async function loadAccount(reader: Reader, subscription: Subscription): Promise<BillingAccount> {
  const customer = await reader.get('customers', subscription.customer)
  return {
    subscription,
    customer,
    invoices: await loadAll(reader, 'invoices', { where: { unsettled_subscription: subscription.id } }),
    card: await loadCard(reader, subscription, customer),
    invoiceCounter: await reader.get('counters', INVOICE_COUNTER),
    alternations: await reader.get('counters', alternatingCounter(subscription.customer)),
  }
}

async function loadCard(
  reader: Reader,
  subscription: Subscription,
  customer: Customer | DeletedCustomer | null,
): Promise<PaymentMethod | null> {
  if (customer === null || isDeleted(customer)) return null
  const id = subscription.default_payment_method ?? customer.default_payment_method
  const card = id === null ? null : await reader.get('payment_methods', id)
  return card?.customer === customer.id ? card : null
}

/** Loads an invoice's account, and what was tried to collect it. */
export async function loadOwing(reader: Reader, invoice: Invoice): Promise<Owing> {
  const subscription =
    invoice.subscription === null ? null : await reader.get('subscriptions', invoice.subscription)
  if (subscription === null) throw new Error(`invoice ${invoice.id} bills no subscription`)
  return {
    account: await loadAccount(reader, subscription),
    invoice,
    tried: await loadTried(reader, invoice),
  }
}

async function loadTried(reader: Reader, { id, attempted }: Invoice): Promise<Tried> {
  const { authentication, payment } = await loadWaiting(reader, id)
  const payments = attempted ? await loadAll(reader, 'payments', { where: { invoice: id } }) : []
  const traceless = await reader.get('traceless_declines', id)
  return { payments: payments.reverse(), authentication, waitingPayment: payment, traceless }
}

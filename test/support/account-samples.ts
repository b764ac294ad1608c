import type { BillingRecords } from '../../src/domain/billing/billing-unit-of-work.ts'
import {
  createDraftInvoice,
  createSubscriptionLines,
  type Invoice,
  markInvoiceFinalized,
} from '../../src/domain/billing/invoices.ts'
import { createSubscription, type Subscription } from '../../src/domain/billing/subscriptions.ts'
import { findCardByAlias } from '../../src/domain/cards/test-cards.ts'
import type { RuleContext } from '../../src/domain/core/changes.ts'
import { attachPaymentMethod, type PaymentMethod } from '../../src/domain/payments/payment-methods.ts'
import { aCheckout, aCustomer, VISA } from './domain-samples.ts'

/** Returns a saved card that behaves as the test card with this alias. */
export function aCard(context: RuleContext, alias = 'visa'): PaymentMethod {
  const { test_behavior = '' } = findCardByAlias(alias) ?? {}
  const card = { ...VISA, test_behavior }
  return attachPaymentMethod(
    { id: context.newId('pm_'), customer: aCustomer(context), card, name: 'Ada' },
    context,
  ).result
}

/** Returns a monthly subscription in its first period. */
export function aSubscription(context: RuleContext, more: Partial<Subscription> = {}): Subscription {
  const ids = { id: 'sub_1', default_payment_method: null, latest_invoice: null }
  return { ...createSubscription(aCheckout(context), ids, null, context).after, ...more }
}

/** Returns an open invoice of 1200.00 EUR without a payment attempt. */
export function anInvoice(context: RuleContext, more: Partial<Invoice> = {}): Invoice {
  const id = context.newId('in_')
  const subscription = aSubscription(context)
  const draft = createDraftInvoice(
    {
      id,
      subscription,
      customer: aCustomer(context),
      billing_reason: 'subscription_cycle',
      auto_advance: true,
      lines: createSubscriptionLines(subscription, context),
    },
    context,
  )
  const number = 'INV-000002'
  const terms = { number, daysUntilDue: null, email: 'ada@example.com', balance: 0, autoAdvance: true }
  return { ...markInvoiceFinalized(draft.after, terms, context).after, ...more }
}

/** Returns an active subscription without open invoices, whose customer has a valid card. */
export function anAccount(context: RuleContext, more: Partial<BillingRecords> = {}): BillingRecords {
  const subscription = aSubscription(context)
  return {
    subscription,
    customer: { ...aCustomer(context), id: subscription.customer },
    invoices: [],
    card: aCard(context),
    invoiceCounter: null,
    pendingItems: [],
    alternatingCharges: null,
    ...more,
  }
}

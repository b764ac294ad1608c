import type { BillingAccount } from '../../src/domain/billing-unit-of-work.ts'
import type { RuleContext } from '../../src/domain/changes.ts'
import { draftInvoice, finalizeInvoice, type Invoice } from '../../src/domain/invoices.ts'
import { attachCard, type PaymentMethod } from '../../src/domain/payment-methods.ts'
import { createSubscription, type Subscription } from '../../src/domain/subscriptions.ts'
import { findCardByAlias } from '../../src/domain/test-cards.ts'
import { aCheckout, aCustomer, VISA } from './domain-samples.ts'

/** A saved card that answers as the test card of that alias. */
export function aCard(context: RuleContext, alias = 'visa'): PaymentMethod {
  const { test_behavior = '' } = findCardByAlias(alias) ?? {}
  const card = { ...VISA, test_behavior }
  return attachCard({ id: context.newId('pm_'), customer: aCustomer(context), card, name: 'Ada' }, context)
    .after
}

/** A monthly subscription in its first period. */
export function aSubscription(context: RuleContext, more: Partial<Subscription> = {}): Subscription {
  const start = { id: 'sub_1', session: aCheckout(context), payment_method: null, latest_invoice: null }
  return { ...createSubscription(start, context).after, ...more }
}

/** An open invoice of 1200.00 EUR that nobody tried to collect. */
export function anInvoice(context: RuleContext, more: Partial<Invoice> = {}): Invoice {
  const draft = draftInvoice(
    {
      id: context.newId('in_'),
      subscription: aSubscription(context),
      customer: aCustomer(context),
      billing_reason: 'subscription_cycle',
      auto_advance: true,
    },
    context,
  )
  const terms = { number: 'INV-000002', daysUntilDue: null, email: null }
  return { ...finalizeInvoice(draft.after, terms, context).after, ...more }
}

/** An active subscription of a customer with a card that works, who owes nothing. */
export function anAccount(context: RuleContext, more: Partial<BillingAccount> = {}): BillingAccount {
  const subscription = aSubscription(context)
  return {
    subscription,
    customer: { ...aCustomer(context), id: subscription.customer },
    invoices: [],
    card: aCard(context),
    invoiceCounter: null,
    alternations: null,
    ...more,
  }
}

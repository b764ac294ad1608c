import type { Account } from '../../src/domain/billing-unit-of-work.ts'
import type { World } from '../../src/domain/changes.ts'
import { draftInvoice, finalizeInvoice, type Invoice } from '../../src/domain/invoices.ts'
import { attachCard, type PaymentMethod } from '../../src/domain/payment-methods.ts'
import { createSubscription, type Subscription } from '../../src/domain/subscriptions.ts'
import { findCardByAlias } from '../../src/domain/test-cards.ts'
import { aCheckout, aCustomer, VISA } from './domain-samples.ts'

/** A saved card that answers as the test card of that alias. */
export function aCard(world: World, alias = 'visa'): PaymentMethod {
  const { test_behavior = '' } = findCardByAlias(alias) ?? {}
  const card = { ...VISA, test_behavior }
  return attachCard({ id: world.newId('pm_'), customer: aCustomer(world), card, name: 'Ada' }, world).after
}

/** A monthly subscription in its first period. */
export function aSubscription(world: World, more: Partial<Subscription> = {}): Subscription {
  const start = { id: 'sub_1', session: aCheckout(world), payment_method: null, latest_invoice: null }
  return { ...createSubscription(start, world).after, ...more }
}

/** An open invoice of 1200.00 EUR that nobody tried to collect. */
export function anInvoice(world: World, more: Partial<Invoice> = {}): Invoice {
  const draft = draftInvoice(
    {
      id: world.newId('in_'),
      subscription: aSubscription(world),
      customer: aCustomer(world),
      billing_reason: 'subscription_cycle',
      auto_advance: true,
    },
    world,
  )
  const terms = { number: 'INV-000002', daysUntilDue: null, email: null }
  return { ...finalizeInvoice(draft.after, terms, world).after, ...more }
}

/** An active subscription of a customer with a card that works, who owes nothing. */
export function anAccount(world: World, more: Partial<Account> = {}): Account {
  const subscription = aSubscription(world)
  return {
    subscription,
    customer: { ...aCustomer(world), id: subscription.customer },
    invoices: [],
    card: aCard(world),
    invoiceCounter: null,
    alternations: null,
    ...more,
  }
}

import { type BillingAccount, BillingUnitOfWork } from './billing-unit-of-work.ts'
import type { Decision, RuleContext } from './changes.ts'
import {
  type Collecting,
  collect,
  endSubscription,
  isRuledOut,
  skipRetry,
  type Tried,
  UNTRIED,
} from './charge-invoice.ts'
import { isDeleted } from './customers.ts'
import { overdueInvoice, sendInvoice, settleFreeInvoice, whenDue } from './invoice-collection.ts'
import { draftInvoice, finalizeInvoice, type Invoice, takeInvoiceNumber } from './invoices.ts'
import { fallBehind, renewSubscription, startSubscription } from './subscriptions.ts'

/** An account with one of its invoices, and what was tried to collect it. */
export interface Owing {
  readonly account: BillingAccount
  readonly invoice: Invoice
  readonly tried: Tried
}

/**
 * Begins the first period of a pending subscription at its start date and bills it. One that is to end with its period
 * has none, and is canceled without an invoice.
 */
export function beginSubscription(account: BillingAccount, context: RuleContext): Decision<null> {
  const billing = new BillingUnitOfWork(account, context)
  if (account.subscription.cancel_at_period_end) {
    endSubscription(billing, 'requested')
    return { changes: billing.changes, result: null }
  }
  const invoice = context.newId('in_')
  billing.add(startSubscription(billing.subscription, invoice, context))
  billPeriod(billing, invoice, 'subscription_create')
  return { changes: billing.changes, result: null }
}

/** A period has ended: the subscription ends with it if that was asked for, else the next one begins and is billed. */
export function endPeriod(account: BillingAccount, context: RuleContext): Decision<null> {
  const billing = new BillingUnitOfWork(account, context)
  if (account.subscription.cancel_at_period_end) {
    endSubscription(billing, 'requested')
  } else {
    const invoice = context.newId('in_')
    billing.add(renewSubscription(billing.subscription, invoice))
    billPeriod(billing, invoice, 'subscription_cycle')
  }
  return { changes: billing.changes, result: null }
}

function billPeriod(billing: BillingUnitOfWork, id: string, billing_reason: Invoice['billing_reason']): void {
  const { subscription, customer, context } = billing
  // Nobody expects an unpaid subscription to pay by itself: its invoices wait as drafts.
  const auto_advance = subscription.status !== 'unpaid'
  const draft = draftInvoice({ id, subscription, customer, billing_reason, auto_advance }, context)
  billing.add(draft)
  if (auto_advance) finalize(billing, draft.after)
}

/** Opens a draft under its number, then settles, sends or charges it; one without `auto_advance` stays open. */
export function finalize(billing: BillingUnitOfWork, draft: Invoice): void {
  const { subscription, context } = billing
  const { number, counter } = takeInvoiceNumber(billing.invoiceCounter)
  const daysUntilDue = subscription.days_until_due
  const { customer } = billing
  const email = customer === null || isDeleted(customer) ? null : customer.email
  const opened = finalizeInvoice(draft, { number, daysUntilDue, email }, context)
  billing.add(counter, opened)
  const invoice = opened.after
  if (invoice.total === 0) billing.add(settleFreeInvoice(invoice, context))
  else if (invoice.collection_method === 'send_invoice')
    billing.add(sendInvoice(invoice), ...whenDue(invoice))
  else if (invoice.auto_advance) collect(billing, automatic(billing, invoice, UNTRIED))
}

function automatic({ card }: BillingUnitOfWork, invoice: Invoice, tried: Tried): Collecting {
  return { invoice, tried, card, isAutomatic: true, isOffSession: true }
}

/** The next automatic attempt on an open invoice is due. */
export function retryInvoice({ account, invoice, tried }: Owing, context: RuleContext): Decision<null> {
  const billing = new BillingUnitOfWork(account, context)
  if (isRuledOut(billing.card, tried)) skipRetry(billing, invoice)
  else collect(billing, automatic(billing, invoice, tried))
  return { changes: billing.changes, result: null }
}

/** The due date of a sent invoice has passed; nothing when it is no longer open. */
export function passDueDate(account: BillingAccount, invoice: Invoice, context: RuleContext): Decision<null> {
  const billing = new BillingUnitOfWork(account, context)
  if (invoice.status === 'open') billing.add(overdueInvoice(invoice), ...fallBehind(billing.subscription))
  return { changes: billing.changes, result: null }
}

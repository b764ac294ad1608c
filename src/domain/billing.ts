import { type Account, Books } from './billing-unit-of-work.ts'
import type { Decision, World } from './changes.ts'
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
  readonly account: Account
  readonly invoice: Invoice
  readonly tried: Tried
}

/**
 * Begins the first period of a pending subscription at its start date and bills it. One that is to end with its period
 * has none, and is canceled without an invoice.
 */
export function beginSubscription(account: Account, world: World): Decision<null> {
  const books = new Books(account, world)
  if (account.subscription.cancel_at_period_end) {
    endSubscription(books, 'requested')
    return { changes: books.changes, result: null }
  }
  const invoice = world.newId('in_')
  books.add(startSubscription(books.subscription, invoice, world))
  billPeriod(books, invoice, 'subscription_create')
  return { changes: books.changes, result: null }
}

/** A period has ended: the subscription ends with it if that was asked for, else the next one begins and is billed. */
export function endPeriod(account: Account, world: World): Decision<null> {
  const books = new Books(account, world)
  if (account.subscription.cancel_at_period_end) {
    endSubscription(books, 'requested')
  } else {
    const invoice = world.newId('in_')
    books.add(renewSubscription(books.subscription, invoice))
    billPeriod(books, invoice, 'subscription_cycle')
  }
  return { changes: books.changes, result: null }
}

function billPeriod(books: Books, id: string, billing_reason: Invoice['billing_reason']): void {
  const { subscription, customer, world } = books
  // Nobody expects an unpaid subscription to pay by itself: its invoices wait as drafts.
  const auto_advance = subscription.status !== 'unpaid'
  const draft = draftInvoice({ id, subscription, customer, billing_reason, auto_advance }, world)
  books.add(draft)
  if (auto_advance) finalize(books, draft.after)
}

/** Opens a draft under its number, then settles, sends or charges it; one without `auto_advance` stays open. */
export function finalize(books: Books, draft: Invoice): void {
  const { subscription, world } = books
  const { number, counter } = takeInvoiceNumber(books.invoiceCounter)
  const daysUntilDue = subscription.days_until_due
  const { customer } = books
  const email = customer === null || isDeleted(customer) ? null : customer.email
  const opened = finalizeInvoice(draft, { number, daysUntilDue, email }, world)
  books.add(counter, opened)
  const invoice = opened.after
  if (invoice.total === 0) books.add(settleFreeInvoice(invoice, world))
  else if (invoice.collection_method === 'send_invoice') books.add(sendInvoice(invoice), ...whenDue(invoice))
  else if (invoice.auto_advance) collect(books, automatic(books, invoice, UNTRIED))
}

function automatic({ card }: Books, invoice: Invoice, tried: Tried): Collecting {
  return { invoice, tried, card, isAutomatic: true, isOffSession: true }
}

/** The next automatic attempt on an open invoice is due. */
export function retryInvoice({ account, invoice, tried }: Owing, world: World): Decision<null> {
  const books = new Books(account, world)
  if (isRuledOut(books.card, tried)) skipRetry(books, invoice)
  else collect(books, automatic(books, invoice, tried))
  return { changes: books.changes, result: null }
}

/** The due date of a sent invoice has passed; nothing when it is no longer open. */
export function passDueDate(account: Account, invoice: Invoice, world: World): Decision<null> {
  const books = new Books(account, world)
  if (invoice.status === 'open') books.add(overdueInvoice(invoice), ...fallBehind(books.subscription))
  return { changes: books.changes, result: null }
}

import { type Change, isDeleted, type RuleContext, type StoredObject } from '../core/changes.ts'
import { type Counter, getAlternatingCounterId, incrementCounter } from '../core/counters.ts'
import { type Customer, type DeletedCustomer, requireCustomer } from '../payments/customers.ts'
import type { PaymentMethod } from '../payments/payment-methods.ts'
import type { DeletedInvoiceItem, InvoiceItem } from './invoice-items.ts'
import type { Invoice } from './invoices.ts'
import type { Subscription } from './subscriptions.ts'

/** A subscription with the records that billing requires. */
export interface BillingRecords {
  readonly subscription: Subscription
  readonly customer: Customer | DeletedCustomer
  /** The subscription's draft and open invoices, oldest first. */
  readonly invoices: readonly Invoice[]
  /** The card that renewals charge; null when the customer has no card, or the card was detached. */
  readonly card: PaymentMethod | null
  readonly invoiceCounter: Counter | null
  /** The subscription's pending invoice items, which no invoice bills yet, oldest first. */
  readonly pendingItems: readonly InvoiceItem[]
  /** The counter of the customer's charges with the test card that approves every other charge. */
  readonly alternatingCharges: Counter | null
}

/** Collects the changes of one operation in order. Later steps of the operation see the changes of earlier steps. */
export class BillingUnitOfWork {
  readonly context: RuleContext
  readonly changes: Change[] = []
  #account: BillingRecords

  /** `earlier` are earlier changes of the same transaction, such as changes to another subscription. */
  constructor(account: BillingRecords, context: RuleContext, earlier: readonly Change[] = []) {
    this.context = context
    this.#account = account
    for (const change of earlier) this.#apply(change)
  }

  /** The billing account after all collected changes. */
  get account(): BillingRecords {
    return this.#account
  }

  get subscription(): Subscription {
    return this.#account.subscription
  }

  get invoices(): readonly Invoice[] {
    return this.#account.invoices
  }

  get pendingItems(): readonly InvoiceItem[] {
    return this.#account.pendingItems
  }

  /** Returns the customer; throws `resource_missing` for a deleted customer. */
  get customer(): Customer {
    return requireCustomer(this.#account.customer, this.subscription.customer)
  }

  /** Adds changes and applies them to the account. */
  add(...changes: readonly Change[]): void {
    for (const change of changes) {
      this.changes.push(change)
      this.#apply(change)
    }
  }

  /** Counts a charge with the alternating test card and returns the number of earlier charges. */
  countAlternatingCharge(): number {
    const { alternatingCharges: charges, subscription } = this.#account
    this.add(incrementCounter(charges, getAlternatingCounterId(subscription.customer)))
    return charges?.value ?? 0
  }

  #apply({ after }: Change): void {
    if (after !== null) this.#account = { ...this.#account, ...changedRecords(this.#account, after) }
  }
}

/** Returns the account fields to replace after a change of one object. */
function changedRecords(account: BillingRecords, changed: StoredObject): Partial<BillingRecords> {
  const { id, customer } = account.subscription
  if (changed.object === 'subscription' && changed.id === id) return { subscription: changed as Subscription }
  if (changed.object === 'invoice' && (changed as Invoice).subscription === id)
    return { invoices: replaceById(account.invoices, changed as Invoice) }
  if (changed.object === 'customer') return { customer: changed as BillingRecords['customer'] }
  if (changed.object === 'invoice_item')
    return { pendingItems: changePending(account, changed as InvoiceItem) }
  if (changed.object !== 'counter') return {}
  const counter = changed as Counter
  return counter.id === getAlternatingCounterId(customer)
    ? { alternatingCharges: counter }
    : { invoiceCounter: counter }
}

function changePending(
  { subscription, pendingItems }: BillingRecords,
  changed: InvoiceItem | DeletedInvoiceItem,
): readonly InvoiceItem[] {
  const isOwn = !isDeleted(changed) && changed.subscription === subscription.id
  if (isOwn && changed.invoice === null) return replaceById(pendingItems, changed)
  return pendingItems.filter(({ id }) => id !== changed.id)
}

/** Replaces the record with the same id, or adds the record at the end. */
function replaceById<T extends StoredObject>(records: readonly T[], changed: T): readonly T[] {
  const isKnown = records.some(({ id }) => id === changed.id)
  return isKnown ? records.map((one) => (one.id === changed.id ? changed : one)) : [...records, changed]
}

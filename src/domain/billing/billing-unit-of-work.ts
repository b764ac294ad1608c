import type { Change, RuleContext } from '../core/changes.ts'
import { alternatingCounterId, type Counter, incrementCounter } from '../core/counters.ts'
import { type Customer, type DeletedCustomer, requireCustomer } from '../payments/customers.ts'
import type { PaymentMethod } from '../payments/payment-methods.ts'
import { type DeletedInvoiceItem, type InvoiceItem, isDeletedInvoiceItem } from './invoice-items.ts'
import type { Invoice } from './invoices.ts'
import type { Subscription } from './subscriptions.ts'

/** A subscription with the records that billing it requires. */
export interface BillingAccount {
  readonly subscription: Subscription
  readonly customer: Customer | DeletedCustomer
  /** Its drafts and open invoices, oldest first. */
  readonly invoices: readonly Invoice[]
  /** The card that renewals charge; null when the customer has none or it was detached. */
  readonly card: PaymentMethod | null
  readonly invoiceCounter: Counter | null
  /** Its pending invoice items, which no invoice bills yet, oldest first. */
  readonly pendingItems: readonly InvoiceItem[]
  /** Counts the customer's charges with the test card that approves every other charge. */
  readonly alternatingCharges: Counter | null
}

/** Collects the changes of one operation in order. Later steps of the operation see the changes of earlier steps. */
export class BillingUnitOfWork {
  readonly context: RuleContext
  readonly changes: Change[] = []
  readonly card: PaymentMethod | null
  #customer: BillingAccount['customer']
  readonly #invoices: Map<string, Invoice>
  readonly #items: Map<string, InvoiceItem>
  #subscription: Subscription
  #invoiceCounter: Counter | null
  #alternatingCharges: Counter | null

  /** `earlier` are changes of the same transaction that were made before, such as those to another subscription. */
  constructor(account: BillingAccount, context: RuleContext, earlier: readonly Change[] = []) {
    this.context = context
    this.card = account.card
    this.#customer = account.customer
    this.#subscription = account.subscription
    this.#invoices = new Map(account.invoices.map((invoice) => [invoice.id, invoice]))
    this.#items = new Map(account.pendingItems.map((item) => [item.id, item]))
    this.#invoiceCounter = account.invoiceCounter
    this.#alternatingCharges = account.alternatingCharges
    for (const change of earlier) this.#apply(change)
  }

  get subscription(): Subscription {
    return this.#subscription
  }

  get invoices(): readonly Invoice[] {
    return [...this.#invoices.values()]
  }

  /** The pending invoice items of the subscription, which no invoice bills yet, oldest first. */
  get pendingItems(): readonly InvoiceItem[] {
    return [...this.#items.values()].filter(({ invoice }) => invoice === null)
  }

  get invoiceCounter(): Counter | null {
    return this.#invoiceCounter
  }

  /** Returns the customer; throws `resource_missing` when it is deleted. */
  get customer(): Customer {
    return requireCustomer(this.#customer, this.#subscription.customer)
  }

  /** Returns the customer, or the stub of a deleted customer. */
  get owner(): BillingAccount['customer'] {
    return this.#customer
  }

  /** Returns the account with all changes. */
  get account(): BillingAccount {
    return {
      subscription: this.#subscription,
      customer: this.#customer,
      invoices: this.invoices,
      card: this.card,
      invoiceCounter: this.#invoiceCounter,
      pendingItems: this.pendingItems,
      alternatingCharges: this.#alternatingCharges,
    }
  }

  /** Adds changes and applies them to the account. */
  add(...changes: readonly Change[]): void {
    for (const change of changes) {
      this.changes.push(change)
      this.#apply(change)
    }
  }

  #apply({ after }: Change): void {
    const { id } = this.#subscription
    if (after?.object === 'subscription' && after.id === id) this.#subscription = after as Subscription
    if (after?.object === 'invoice' && (after as Invoice).subscription === id)
      this.#invoices.set(after.id, after as Invoice)
    if (after?.object === 'customer') this.#customer = after as BillingAccount['customer']
    if (after?.object === 'invoice_item') this.#applyItem(after as InvoiceItem | DeletedInvoiceItem)
    if (after?.object === 'counter') this.#count(after as Counter)
  }

  #applyItem(item: InvoiceItem | DeletedInvoiceItem): void {
    if (isDeletedInvoiceItem(item)) this.#items.delete(item.id)
    else if (item.subscription === this.#subscription.id) this.#items.set(item.id, item)
  }

  /** Counts a charge with the alternating test card and returns the number of earlier ones. */
  countAlternatingCharge(): number {
    const charges = this.#alternatingCharges?.value ?? 0
    this.add(incrementCounter(this.#alternatingCharges, alternatingCounterId(this.#subscription.customer)))
    return charges
  }

  #count(counter: Counter): void {
    if (counter.id === alternatingCounterId(this.#subscription.customer)) this.#alternatingCharges = counter
    else this.#invoiceCounter = counter
  }
}

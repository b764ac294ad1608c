import type { Change, RuleContext } from './changes.ts'
import { alternatingCounter, type Counter, countUp } from './counters.ts'
import { type Customer, type DeletedCustomer, requireCustomer } from './customers.ts'
import type { Invoice } from './invoices.ts'
import type { PaymentMethod } from './payment-methods.ts'
import type { Subscription } from './subscriptions.ts'

/** A subscription with all that billing it needs to know. */
export interface BillingAccount {
  readonly subscription: Subscription
  readonly customer: Customer | DeletedCustomer | null
  /** Its drafts and open invoices, oldest first. */
  readonly invoices: readonly Invoice[]
  /** The card that renewals charge; null when there is none or it was detached. */
  readonly card: PaymentMethod | null
  readonly invoiceCounter: Counter | null
  /** How often the customer was charged with the card that approves every other charge. */
  readonly alternations: Counter | null
}

/**
 * An account while one trigger changes it: each change is written down in order, and what comes later in the same
 * trigger sees it.
 */
export class BillingUnitOfWork {
  readonly context: RuleContext
  readonly changes: Change[] = []
  readonly card: PaymentMethod | null
  readonly #customer: BillingAccount['customer']
  readonly #invoices: Map<string, Invoice>
  #subscription: Subscription
  #invoiceCounter: Counter | null
  #alternations: Counter | null

  constructor(account: BillingAccount, context: RuleContext) {
    this.context = context
    this.card = account.card
    this.#customer = account.customer
    this.#subscription = account.subscription
    this.#invoices = new Map(account.invoices.map((invoice) => [invoice.id, invoice]))
    this.#invoiceCounter = account.invoiceCounter
    this.#alternations = account.alternations
  }

  get subscription(): Subscription {
    return this.#subscription
  }

  get invoices(): readonly Invoice[] {
    return [...this.#invoices.values()]
  }

  get invoiceCounter(): Counter | null {
    return this.#invoiceCounter
  }

  /** The live customer; an account that is billed has one. */
  get customer(): Customer {
    return requireCustomer(this.#customer, this.#subscription.customer)
  }

  /** Writes changes down. */
  add(...changes: readonly Change[]): void {
    for (const change of changes) {
      this.changes.push(change)
      const { after } = change
      if (after?.object === 'subscription') this.#subscription = after as Subscription
      if (after?.object === 'invoice') this.#invoices.set(after.id, after as Invoice)
      if (after?.object === 'counter') this.#count(after as Counter)
    }
  }

  /** The number of charges so far with the card that approves every other one; counts this one. */
  countAlternation(): number {
    const charges = this.#alternations?.value ?? 0
    this.add(countUp(this.#alternations, alternatingCounter(this.#subscription.customer)))
    return charges
  }

  #count(counter: Counter): void {
    if (counter.id === alternatingCounter(this.#subscription.customer)) this.#alternations = counter
    else this.#invoiceCounter = counter
  }
}

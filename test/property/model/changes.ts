import { type ModelSchedule, NO_CARD, startOf } from './cards.ts'
import { periodOf } from './ledger.ts'
import {
  billedLines,
  billedPrice,
  prorate,
  type RestOfPeriod,
  restOfPeriod,
  takesBack,
} from './prorations.ts'
import { linesOf, runOnClock, signedTaxOn } from './rules.ts'
import type { Invoice, InvoiceItem, Item, Line, StepOutcome, Subscription } from './state.ts'
import { TrialModel } from './trials.ts'

const MAX_ITEMS = 20

/** A change of one item. A null item is added. */
export interface ItemEdit {
  readonly item: Item | null
  readonly price: Partial<Item> | 'deleted'
}

/** A change of the plan of a subscription. */
export interface PlanChange {
  readonly edits: readonly ItemEdit[]
  readonly rhythm: Pick<ModelSchedule, 'interval' | 'count'> | null
  readonly startsNow: boolean
  readonly behavior: 'create_prorations' | 'always_invoice' | 'none'
  /** The proration date in Unix seconds; null for now. */
  readonly date: number | null
  /** Whether a declined charge undoes the change. */
  readonly isStrict: boolean
}

/** The model of plan changes, prorations and invoice items. */
export class ChangeModel extends TrialModel {
  changePlan(subscription: Subscription, change: PlanChange): StepOutcome {
    return runOnClock(subscription.customer, () => {
      if (subscription.status === 'canceled') return 'refused'
      const { items: known } = subscription.terms
      // A concurrent step may have removed an item.
      if (change.edits.some(({ item }) => item !== null && !known.includes(item))) return 'refused'
      const items = editItems(known, change.edits)
      const { length } = items.filter(({ price }) => price !== null)
      if (length === 0 || length > MAX_ITEMS) return 'refused'
      if (!hasCurrentPeriod(subscription)) return changeTerms(subscription, items, change)
      const { now } = subscription.customer.clock
      const t = change.date ?? now
      const billed = billedLines(subscription, this.invoiceItems)
      const isProrated = change.behavior !== 'none'
      const prorations = billed.filter((line) => line.isProration && !takesBack(line))
      const earlier = (isProrated ? prorations : []).map(({ start }) => start)
      const rest = restOfPeriod(subscription, t)
      if (t < Math.max(rest.start, ...earlier) || t > now) return 'refused'
      if (isReset(subscription, change) && !containsNow(subscription, change, t)) return 'refused'
      const work = () => this.#apply(subscription, items, { ...change, date: t })
      if (change.isStrict) return this.tryOrUndo(subscription, work)
      work()
      return 'ok'
    })
  }

  #apply(
    subscription: Subscription,
    items: readonly ChangedItem[],
    change: PlanChange & { readonly date: number },
  ): Invoice | null {
    const { behavior, date } = change
    const isNewPeriod = isReset(subscription, change)
    const rest = restOfPeriod(subscription, date)
    const dropped = items.map((one) => ({ ...one, price: null }))
    const known = this.invoiceItems.length
    if (behavior !== 'none') this.#prorate(subscription, isNewPeriod ? dropped : items, rest)
    setTerms(subscription, items, change)
    if (isNewPeriod) {
      const { terms } = subscription
      subscription.terms = { ...terms, rhythm: { ...terms.rhythm, anchor: date } }
      subscription.index = 0
      return this.bill(subscription, 'update', linesOf(subscription))
    }
    const isBilled = behavior === 'always_invoice' && subscription.status !== 'unpaid'
    return isBilled && this.invoiceItems.length > known ? this.bill(subscription, 'update', []) : null
  }

  /** Adds the prorations of changed items. */
  #prorate(subscription: Subscription, items: readonly ChangedItem[], rest: RestOfPeriod): void {
    const billed = billedLines(subscription, this.invoiceItems)
    for (const { item, price } of items) {
      if (price !== null && item !== price && isSamePrice(item, price)) continue
      const before = billedPrice(item, billed)
      for (const line of prorate(item, { before, after: price }, rest)) this.addItem(subscription, line)
    }
  }

  protected addItem(subscription: Subscription, line: Line): void {
    const { customer } = subscription
    const period = periodOf(subscription)
    const item = { customer, subscription, period, line, invoice: null, isDeleted: false }
    this.invoiceItems.push(item)
  }

  /** Creates an invoice item for a one-off fee or credit. */
  createInvoiceItem(
    subscription: Subscription,
    { unit, quantity, ppm }: Pick<Line, 'unit' | 'quantity' | 'ppm'>,
  ): StepOutcome {
    const { customer } = subscription
    return runOnClock(customer, () => {
      if (subscription.status === 'canceled') return 'refused'
      const amount = unit * quantity
      const tax = signedTaxOn(amount, ppm)
      const { now } = customer.clock
      const period = { start: now, end: now }
      this.addItem(subscription, {
        ...{ item: null, unit, quantity, ppm, amount, tax },
        isProration: false,
        ...period,
      })
      return 'ok'
    })
  }

  deleteInvoiceItem(item: InvoiceItem): StepOutcome {
    return runOnClock(item.customer, () => {
      if (item.invoice !== null || item.isDeleted) return 'refused'
      item.isDeleted = true
      return 'ok'
    })
  }

  /** Cancels a subscription now. */
  cancel(
    subscription: Subscription,
    { prorates, bills }: { readonly prorates: boolean; readonly bills: boolean },
  ): StepOutcome {
    return runOnClock(subscription.customer, () => {
      if (subscription.status === 'canceled') return 'refused'
      if (prorates && hasCurrentPeriod(subscription)) {
        const dropped = subscription.terms.items.map((item) => ({ item, price: null }))
        this.#prorate(subscription, dropped, restOfPeriod(subscription, subscription.customer.clock.now))
      }
      const isBilled = bills && this.pendingOf(subscription).length > 0
      const invoice = isBilled ? this.draft(subscription, 'update', []) : null
      this.end(subscription, 'requested')
      // The caller requested this invoice, so a pause of collection does not keep it as a draft.
      if (invoice !== null) this.openOnce(invoice)
      return 'ok'
    })
  }

  /** Runs a change, and undoes it when its invoice is declined. */
  protected tryOrUndo(subscription: Subscription, work: () => Invoice | null): StepOutcome {
    const undo = this.remember(subscription)
    const invoice = work()
    const error = invoice?.status === 'open' ? invoice.error : null
    if (error === null || error === undefined) return 'ok'
    undo()
    return error === NO_CARD ? 'refused' : { declined: error.code }
  }

  protected remember(subscription: Subscription): () => void {
    const { customer, terms, invoices } = subscription
    const [fields, trial] = [{ ...subscription }, { ...subscription.trial }]
    const prices = terms.items.map((item) => ({ ...item }))
    const states = invoices.map((invoice) => ({ ...invoice }))
    const lists = [this.invoices, this.invoiceItems, this.payments, invoices]
    const lengths = lists.map(({ length }) => length)
    const known = { numbers: this.numbers, charges: customer.charges }
    const balances = new Map(customer.balances)
    // A preview may end the subscription, which deletes its pending items.
    const pending = this.pendingOf(subscription)
    return () => {
      Object.assign(subscription, fields)
      if (subscription.trial !== null) Object.assign(subscription.trial, trial)
      for (const [at, item] of terms.items.entries()) Object.assign(item, prices[at])
      for (const [at, list] of lists.entries()) list.length = lengths[at] ?? 0
      for (const [at, invoice] of invoices.entries()) Object.assign(invoice, states[at])
      this.numbers = known.numbers
      customer.charges = known.charges
      customer.balances.clear()
      for (const [currency, balance] of balances) customer.balances.set(currency, balance)
      for (const item of this.invoiceItems) {
        if (item.invoice !== null && !this.invoices.includes(item.invoice)) item.invoice = null
      }
      for (const item of pending) item.isDeleted = false
    }
  }
}

/** An item after a change: its new price, or null when it is removed. */
interface ChangedItem {
  readonly item: Item
  readonly price: Item | null
}

function editItems(items: readonly Item[], edits: readonly ItemEdit[]): ChangedItem[] {
  const changed = items.map((item): ChangedItem => {
    const price = edits.find((edit) => edit.item === item)?.price ?? {}
    return { item, price: price === 'deleted' ? null : { ...item, ...price } }
  })
  const added = edits.flatMap(({ item, price }): ChangedItem[] => {
    if (item !== null || price === 'deleted') return []
    const made = { unit: 0, quantity: 1, ppm: 0, ...price }
    return [{ item: made, price: made }]
  })
  return [...changed, ...added]
}

function changeTerms(
  subscription: Subscription,
  items: readonly ChangedItem[],
  change: PlanChange,
): StepOutcome {
  if (change.startsNow || change.date !== null) return 'refused'
  setTerms(subscription, items, change)
  return 'ok'
}

function setTerms(subscription: Subscription, items: readonly ChangedItem[], { rhythm }: PlanChange): void {
  const { terms } = subscription
  const kept = items.flatMap(({ item, price }) => (price === null ? [] : Object.assign(item, price)))
  subscription.terms = { ...terms, items: kept, rhythm: { ...terms.rhythm, ...rhythm } }
}

/** Returns whether a change starts a new billing period. */
function isReset({ terms }: Subscription, { rhythm, startsNow }: PlanChange): boolean {
  return startsNow || (rhythm !== null && !isSameRhythm(rhythm, terms.rhythm))
}

/** Returns whether the new period from `t` contains the current time. */
function containsNow({ terms, customer }: Subscription, { rhythm }: PlanChange, t: number): boolean {
  return startOf({ ...terms.rhythm, ...rhythm, anchor: t }, 1) > customer.clock.now
}

function hasCurrentPeriod({ status }: Subscription): boolean {
  return status === 'active' || status === 'past_due' || status === 'unpaid'
}

function isSameRhythm(a: Pick<ModelSchedule, 'interval' | 'count'>, b: ModelSchedule): boolean {
  return a.interval === b.interval && a.count === b.count
}

function isSamePrice(a: Item, b: Item): boolean {
  return a.unit * a.quantity === b.unit * b.quantity && a.ppm === b.ppm
}

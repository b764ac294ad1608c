import type { Invoice } from '../billing/invoices.ts'
import type { Subscription } from '../billing/subscriptions.ts'
import { EVENT_TYPES } from '../core/event-types.ts'
import * as s from '../core/schema.ts'
import type { Event } from '../events/events.ts'
import type { DunningResult } from './dunning-funnel.ts'
import {
  addRevenue,
  getRecurringRevenue,
  type MonthlyRevenue,
  type RevenueByCurrency,
  recurringRevenueSchema,
  toRecurringRevenue,
} from './recurring-revenue.ts'
import { findBucketIndex, type TimeBucket } from './statistics-range.ts'
import { addToSum } from './sums.ts'

const taxTotals = s.object(
  {
    currency: s.currencyCode('The currency of the amount.'),
    tax_percent: s.percent('The rate in percent.'),
    amount: s.signedAmount('The sum of the taxes.'),
  },
  'The taxes with one rate in one currency.',
)

const dunningTotals = s.object(
  {
    recovered: s.integer(0, 'The number of invoices that are paid after a failed first charge.'),
    open: s.integer(0, 'The number of invoices that are still retried after a failed first charge.'),
    lost: s.integer(
      0,
      'The number of invoices that are neither paid nor retried after a failed first charge.',
    ),
  },
  'The invoices created in the interval whose first charge failed.',
)

/** The schema of the history of one interval. */
export const subscriptionHistorySchema = s.object(
  {
    start: s.timestamp('Time at which the interval starts.'),
    recurring_revenue: s.arrayOf(
      recurringRevenueSchema,
      'The monthly recurring revenue at the end of the interval or, in the last interval, now. Before the oldest stored event of a subscription, the state directly before that event counts.',
    ),
    created: s.integer(0, 'The number of subscriptions that were created in the interval.'),
    ended: s.integer(0, 'The number of subscriptions that ended in the interval.'),
    remaining: s.arrayOf(
      s.integer(0, 'The number of subscriptions.'),
      'The subscriptions that were created in the interval and have not ended by its end, by the end of the next interval, and so on.',
    ),
    dunning: dunningTotals,
    taxes: s.arrayOf(
      taxTotals,
      'The taxes of the invoices that were paid in the interval, by currency and rate.',
    ),
  },
  'The subscriptions of one interval.',
)

export type SubscriptionHistory = s.ValueOf<typeof subscriptionHistorySchema>

/** The events after which the recurring revenue of a subscription can differ. */
export const REVENUE_EVENT_TYPES = EVENT_TYPES.filter(
  (type) => type.startsWith('subscription.') && type !== 'subscription.trial_will_end',
)

/** The revenue of a subscription before its oldest added event. */
interface EarlierRevenue extends MonthlyRevenue {
  /** The creation time of the subscription, in Unix seconds. */
  readonly since: number
  /** The time of the oldest added event of the subscription, in Unix seconds. */
  readonly until: number
}

interface Entry {
  readonly start: number
  created: number
  ended: number
  readonly remaining: number[]
  readonly revenue: RevenueByCurrency
  readonly dunning: Record<DunningResult, number>
  readonly taxes: Map<string, s.ValueOf<typeof taxTotals>>
}

/** Collects the history of subscriptions, one entry for each interval that has started. */
export class SubscriptionHistoryCollector {
  readonly #buckets: readonly TimeBucket[]
  readonly #entries: readonly Entry[]
  /** The earlier revenue by subscription, without subscriptions whose creation event was added. */
  readonly #earlier = new Map<string, EarlierRevenue>()

  constructor(buckets: readonly TimeBucket[], now: number) {
    this.#buckets = buckets.filter(({ start }) => start <= now)
    this.#entries = this.#buckets.map(({ start }, index) => ({
      ...{ start, created: 0, ended: 0, revenue: new Map(), taxes: new Map() },
      remaining: this.#buckets.slice(index).map(() => 0),
      dunning: { recovered: 0, open: 0, lost: 0 },
    }))
  }

  /** Adds a subscription to the interval in which it was created, and to the interval in which it ended. */
  addSubscription(subscription: Subscription): void {
    const { id, created, ended_at } = subscription
    this.#earlier.set(id, { ...getRecurringRevenue(subscription), since: created, until: Infinity })
    const at = findBucketIndex(this.#buckets, created)
    const entry = this.#entries[at]
    if (entry !== undefined) {
      entry.created += 1
      for (const [index, count] of entry.remaining.entries())
        if (ended_at === null || ended_at >= (this.#buckets[at + index]?.end ?? 0))
          entry.remaining[index] = count + 1
    }
    const last = ended_at === null ? undefined : this.#entries[findBucketIndex(this.#buckets, ended_at)]
    if (last !== undefined) last.ended += 1
  }

  /** Adds an invoice; `result` is null if its first charge did not fail. */
  addInvoice({ created, paid_at, currency, taxes }: Invoice, result: DunningResult | null): void {
    const entry = this.#entries[findBucketIndex(this.#buckets, created)]
    if (entry !== undefined && result !== null) entry.dunning[result] += 1
    const paid = paid_at === null ? undefined : this.#entries[findBucketIndex(this.#buckets, paid_at)]
    if (paid === undefined) return
    for (const { tax_percent, amount } of taxes) {
      const key = `${currency} ${tax_percent}`
      const sum = addToSum({ count: 0, amount: paid.taxes.get(key)?.amount ?? 0 }, amount).amount
      paid.taxes.set(key, { currency, tax_percent, amount: sum })
    }
  }

  /** Adds an event of a subscription. Add all subscriptions first, and events of a subscription newest first. */
  addEvent({ created, data: { object, previous_attributes } }: Event): void {
    const subscription = object as Subscription
    const { id, created: since } = subscription
    const until = this.#earlier.get(id)?.until ?? Infinity
    this.#addRevenue({ ...getRecurringRevenue(subscription), since: created, until })
    if (previous_attributes === undefined) this.#earlier.delete(id)
    else {
      const before = getRecurringRevenue({ ...subscription, ...previous_attributes })
      this.#earlier.set(id, { ...before, since, until: created })
    }
  }

  #addRevenue({ since, until, ...revenue }: EarlierRevenue): void {
    for (const [index, { end }] of this.#buckets.entries()) {
      const entry = this.#entries[index]
      if (entry !== undefined && since < end && end <= until) addRevenue(entry.revenue, revenue)
    }
  }

  /** Returns the history of all added records, oldest first. */
  results(): readonly SubscriptionHistory[] {
    // Events are stored for 30 days, so add the revenue before the oldest stored event of each subscription.
    for (const revenue of this.#earlier.values()) this.#addRevenue(revenue)
    this.#earlier.clear()
    return this.#entries.map(({ revenue, taxes, ...entry }) => ({
      ...entry,
      recurring_revenue: toRecurringRevenue(revenue),
      taxes: [...taxes.values()].toSorted(
        (a, b) => a.currency.localeCompare(b.currency) || a.tax_percent - b.tax_percent,
      ),
    }))
  }
}

import type { Invoice } from '../billing/invoices.ts'
import type { Subscription } from '../billing/subscriptions.ts'
import type { Unvalidated, ValidationError } from '../core/domain-error.ts'
import * as p from '../core/params.ts'
import * as s from '../core/schema.ts'
import type { Dispute } from '../payments/disputes.ts'
import type { Payment } from '../payments/payments.ts'
import type { Refund } from '../payments/refunds.ts'
import { listUnixSecondsErrors } from '../time/unix-seconds.ts'
import {
  countDunningInvoice,
  type DunningCounts,
  dunningStepSchema,
  findDunningResult,
  toDunningFunnel,
} from './dunning-funnel.ts'
import {
  addRevenue,
  getRecurringRevenue,
  type RevenueByCurrency,
  recurringRevenueSchema,
  toRecurringRevenue,
} from './recurring-revenue.ts'
import {
  DEFAULT_BUCKET_COUNTS,
  findBucketIndex,
  getBucketRange,
  MAX_BUCKETS,
  type TimeBucket,
} from './statistics-range.ts'
import { type SubscriptionHistoryCollector, subscriptionHistorySchema } from './subscription-history.ts'
import { addToSum, type CountedSum, sortByCurrency } from './sums.ts'

const totals = (what: string) =>
  s.object(
    { count: s.integer(0, `The number of ${what}.`), amount: s.amount(`The sum of ${what}.`) },
    `The ${what} in total.`,
  )

const paymentTotals = s.object(
  {
    succeeded: totals('succeeded payments, of which the captured amounts count'),
    failed: totals('failed payments'),
    requires_action: totals('payments that require authentication'),
    requires_capture: totals('payments whose amount is reserved'),
    processing: totals('payments that the issuer is deciding, and debits without an outcome'),
    canceled: totals('canceled payments'),
  },
  'The payments that were created in the interval, by their current status.',
)

const refundTotals = s.object(
  {
    succeeded: totals('succeeded refunds'),
    pending: totals('pending refunds'),
    failed: totals('failed refunds'),
  },
  'The refunds that were created in the interval, by their current status.',
)

const disputeTotals = s.object(
  {
    open: totals('open disputes'),
    won: totals('won disputes'),
    lost: totals('lost disputes'),
  },
  'The disputes that were created in the interval, by their current result. The amounts of open and lost disputes are withdrawn. Inquiries do not count, because they move no money.',
)

const currencyTotals = s.object(
  {
    currency: s.currencyCode('The currency of all amounts.'),
    payments: paymentTotals,
    refunds: refundTotals,
    disputes: disputeTotals,
  },
  'The payments, refunds and disputes in one currency.',
)

const bucket = s.object(
  {
    start: s.timestamp('Time at which the interval starts.'),
    end: s.timestamp('Time at which the next interval starts.'),
    currencies: s.arrayOf(
      currencyTotals,
      'The totals by currency; empty without payments, refunds and disputes.',
    ),
  },
  'One day, week or month.',
)

const count = (status: string) => s.integer(0, `The number of subscriptions that are ${status}.`)

const subscriptionCounts = s.object(
  {
    pending: count('not started yet'),
    trialing: count('in a trial'),
    active: count('active'),
    past_due: count('past due'),
    unpaid: count('unpaid'),
    paused: count('paused after a trial without a card'),
    canceled: count('canceled'),
  },
  'The number of subscriptions by their current status.',
)

/** The schema of statistics. */
export const statisticsSchema = s.titledObject(
  'statistics',
  'Sums of payments, refunds and disputes, recurring revenue, and the results of retries.',
  {
    object: s.constant('statistics', 'The type of the object.'),
    interval: s.enumOf(['day', 'week', 'month'], 'The length of an interval.'),
    test_clock: s.nullable(s.id('The test clock of all objects; null for objects without a test clock.')),
    start: s.timestamp('Time at which the first interval starts.'),
    end: s.timestamp('Time at which the last interval ends.'),
    data: s.arrayOf(bucket, 'The intervals, oldest first, without gaps.'),
    recurring_revenue: s.arrayOf(
      recurringRevenueSchema,
      'The current monthly recurring revenue by currency.',
    ),
    subscriptions: subscriptionCounts,
    dunning: s.arrayOf(
      dunningStepSchema,
      'The invoices created from `start` to `end` whose first charge failed, by the number of charges. An invoice that was finalized without a charge and paid later also counts.',
    ),
    history: s.nullable(
      s.arrayOf(
        subscriptionHistorySchema,
        'The subscriptions of each interval up to now, oldest first; null without the parameter `history`.',
      ),
    ),
  },
)

export type Statistics = s.ValueOf<typeof statisticsSchema>
export type CurrencyTotals = s.ValueOf<typeof currencyTotals>

const RANGES = `${DEFAULT_BUCKET_COUNTS.day} days, ${DEFAULT_BUCKET_COUNTS.week} weeks or ${DEFAULT_BUCKET_COUNTS.month} months`

/** The parameters of statistics. */
export const statisticsParams = p.shape(
  {},
  {
    interval: p.choice(
      ['day', 'week', 'month'],
      'Length of an interval: UTC days, weeks from Monday, or calendar months (default: day).',
    ),
    test_clock: p.id('Only objects on this test clock (default: only objects without a test clock).'),
    start: p.timestamp(
      `Time in the first interval in Unix seconds (default: the last ${RANGES}). At most ${MAX_BUCKETS} intervals.`,
    ),
    end: p.timestamp('Exclusive end in Unix seconds, rounded up to a whole interval (default: now).'),
    history: p.boolean(
      'Also return, for each interval: recurring revenue, new and ended subscriptions, the retained subscriptions, retries and taxes (default: false). The request takes longer, because the server also reads events.',
    ),
  },
)

export type StatisticsParams = s.ValueOf<typeof statisticsParams>

/** Returns the validation errors of statistics: times in milliseconds. */
export function listStatisticsErrors({ start, end }: Unvalidated<StatisticsParams>): ValidationError[] {
  return [...listUnixSecondsErrors('start', start), ...listUnixSecondsErrors('end', end)]
}

/** Collects statistics from records. */
export class StatisticsCollector {
  readonly #buckets: readonly TimeBucket[]
  readonly #totals: Map<string, CurrencyTotals>[]
  readonly #revenue: RevenueByCurrency = new Map()
  readonly #dunning: DunningCounts = []
  /** The ids of invoices with a payment that did not succeed. */
  readonly #unpaid = new Set<string>()
  /** The times of the debits that succeeded or have no outcome, by their invoice. */
  readonly #debits = new Map<string, number>()
  #subscriptions = { pending: 0, trialing: 0, active: 0, past_due: 0, unpaid: 0, paused: 0, canceled: 0 }

  readonly #history: SubscriptionHistoryCollector | null

  constructor(buckets: readonly TimeBucket[], history: SubscriptionHistoryCollector | null = null) {
    this.#buckets = buckets
    this.#history = history
    this.#totals = buckets.map(() => new Map())
  }

  /** Adds a payment to the interval in which it was created. */
  addPayment(payment: Payment): void {
    const { created, currency, status, amount, amount_captured, invoice, payment_method_details } = payment
    const sum = status === 'succeeded' ? amount_captured : amount
    const isCollected = status === 'succeeded' || status === 'processing'
    if (invoice !== null && !isCollected) this.#unpaid.add(invoice)
    // A debit counts as a charge when it is submitted, and has its outcome later.
    if (invoice !== null && isCollected && payment_method_details.sepa_debit !== null)
      this.#debits.set(invoice, created)
    this.#change(created, currency, (before) => ({
      ...before,
      payments: { ...before.payments, [status]: addToSum(before.payments[status], sum) },
    }))
  }

  /** Adds a refund to the interval in which it was created. */
  addRefund({ created, currency, status, amount }: Refund): void {
    this.#change(created, currency, (before) => ({
      ...before,
      refunds: { ...before.refunds, [status]: addToSum(before.refunds[status], amount) },
    }))
  }

  /** Adds a dispute, unless it is an inquiry, to the interval in which it was created. */
  addDispute({ created, currency, status, amount }: Dispute): void {
    if (status.startsWith('warning_')) return
    const result = status === 'won' || status === 'lost' ? status : 'open'
    this.#change(created, currency, (before) => ({
      ...before,
      disputes: { ...before.disputes, [result]: addToSum(before.disputes[result], amount) },
    }))
  }

  /** Adds a subscription to the counts and to the recurring revenue. */
  addSubscription(subscription: Subscription): void {
    const { status } = subscription
    this.#subscriptions = { ...this.#subscriptions, [status]: this.#subscriptions[status] + 1 }
    addRevenue(this.#revenue, getRecurringRevenue(subscription))
    this.#history?.addSubscription(subscription)
  }

  /** Adds an invoice of the range to the dunning funnel if its first charge failed. Add all payments before invoices. */
  addInvoice(invoice: Invoice): void {
    const { id, created } = invoice
    const charges = { hasFailed: this.#unpaid.has(id), debitedAt: this.#debits.get(id) ?? null }
    const result = findBucketIndex(this.#buckets, created) === -1 ? null : findDunningResult(invoice, charges)
    if (result !== null) countDunningInvoice(this.#dunning, invoice, result)
    this.#history?.addInvoice(invoice, result)
  }

  /** Returns the statistics of all added records. */
  results(): Omit<Statistics, 'object' | 'interval' | 'test_clock'> {
    return {
      ...getBucketRange(this.#buckets),
      data: this.#buckets.map((each, index) => ({
        ...each,
        currencies: sortByCurrency([...(this.#totals[index]?.values() ?? [])]),
      })),
      recurring_revenue: toRecurringRevenue(this.#revenue),
      subscriptions: this.#subscriptions,
      dunning: toDunningFunnel(this.#dunning),
      history: this.#history?.results() ?? null,
    }
  }

  #change(created: number, currency: string, change: (before: CurrencyTotals) => CurrencyTotals): void {
    const totals = this.#totals[findBucketIndex(this.#buckets, created)]
    totals?.set(currency, change(totals.get(currency) ?? emptyTotals(currency)))
  }
}

const NONE: CountedSum = { count: 0, amount: 0 }

function emptyTotals(currency: string): CurrencyTotals {
  return {
    currency,
    payments: {
      ...{ succeeded: NONE, failed: NONE, requires_action: NONE, requires_capture: NONE },
      ...{ processing: NONE, canceled: NONE },
    },
    refunds: { succeeded: NONE, pending: NONE, failed: NONE },
    disputes: { open: NONE, won: NONE, lost: NONE },
  }
}

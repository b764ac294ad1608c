import { StatisticsCollector } from '../domain/reports/statistics.ts'
import { getBucketRange, type TimeBucket } from '../domain/reports/statistics-range.ts'
import { REVENUE_EVENT_TYPES, SubscriptionHistoryCollector } from '../domain/reports/subscription-history.ts'
import type { CollectionRecordTypes } from '../store/port/collections.ts'
import type { ListQuery } from '../store/port/store.ts'
import { iterateRecordPages } from './load-related.ts'
import type { Runtime } from './runtime.ts'

interface StatisticsOptions {
  /** The test clock of the objects; null for objects without a test clock. */
  readonly testClock: string | null
  readonly buckets: readonly TimeBucket[]
  /** The time up to which the history is collected, in Unix seconds; null for no history. */
  readonly historyEnd: number | null
}

/** Reads objects page by page, and resolves with their statistics by interval. */
export async function collectStatistics(
  { store, yieldToEventLoop }: Pick<Runtime, 'store' | 'yieldToEventLoop'>,
  { testClock, buckets, historyEnd }: StatisticsOptions,
): Promise<ReturnType<StatisticsCollector['results']>> {
  const range = getBucketRange(buckets)
  const history = historyEnd === null ? null : new SubscriptionHistoryCollector(buckets, historyEnd)
  const collector = new StatisticsCollector(buckets, history)
  const isInScope = ({ test_clock }: { readonly test_clock: string | null }) => test_clock === testClock
  const since = [{ field: 'created', gte: range.start }]
  const created = [{ field: 'created', gte: range.start, lt: range.end }]

  async function visit<
    C extends 'payments' | 'refunds' | 'disputes' | 'invoices' | 'subscriptions' | 'events',
  >(
    collection: C,
    query: Pick<ListQuery, 'where' | 'ranges'>,
    add: (record: CollectionRecordTypes[C]) => void,
  ): Promise<void> {
    for await (const page of iterateRecordPages(store, collection, query)) {
      for (const record of page.filter(isInScope)) add(record)
      await yieldToEventLoop()
    }
  }

  // Later payments also show which invoices of the range were declined, so read payments without an end.
  await visit('payments', { ranges: since }, (payment) => collector.addPayment(payment))
  await visit('refunds', { ranges: created }, (refund) => collector.addRefund(refund))
  await visit('disputes', { ranges: created }, (dispute) => collector.addDispute(dispute))
  // For a history, read earlier invoices too, because an earlier invoice may be paid in the range.
  const billed = history === null ? created : [{ field: 'created', lt: range.end }]
  await visit('invoices', { ranges: billed }, (invoice) => collector.addInvoice(invoice))
  await visit('subscriptions', {}, (subscription) => collector.addSubscription(subscription))
  if (history !== null) {
    const where = { type: REVENUE_EVENT_TYPES, ...(testClock === null ? {} : { test_clock: testClock }) }
    await visit('events', { where }, (event) => history.addEvent(event))
  }
  return collector.results()
}

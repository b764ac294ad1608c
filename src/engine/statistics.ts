import { StatisticsCollector } from '../domain/reports/statistics.ts'
import { getBucketRange, type TimeBucket } from '../domain/reports/statistics-range.ts'
import type { CollectionRecordTypes } from '../store/port/collections.ts'
import type { ListQuery } from '../store/port/store.ts'
import { iterateRecordPages } from './load-related.ts'
import type { Runtime } from './runtime.ts'

/**
 * Reads the objects of a test clock, or in real time for null, page by page, and resolves with their statistics by
 * interval.
 */
export async function collectStatistics(
  { store, yieldToEventLoop }: Pick<Runtime, 'store' | 'yieldToEventLoop'>,
  testClock: string | null,
  buckets: readonly TimeBucket[],
): Promise<ReturnType<StatisticsCollector['results']>> {
  const range = getBucketRange(buckets)
  const collector = new StatisticsCollector(buckets)
  const isInScope = ({ test_clock }: { readonly test_clock: string | null }) => test_clock === testClock
  const since = [{ field: 'created', gte: range.start }]
  const created = [{ field: 'created', gte: range.start, lt: range.end }]

  async function visit<C extends 'payments' | 'refunds' | 'disputes' | 'invoices' | 'subscriptions'>(
    collection: C,
    query: Pick<ListQuery, 'ranges'>,
    add: (record: CollectionRecordTypes[C]) => void,
  ): Promise<void> {
    for await (const page of iterateRecordPages(store, collection, query)) {
      for (const record of page.filter(isInScope)) add(record)
      await yieldToEventLoop()
    }
  }

  // Later payments also show which invoices of the range were declined.
  await visit('payments', { ranges: since }, (payment) => collector.addPayment(payment))
  await visit('refunds', { ranges: created }, (refund) => collector.addRefund(refund))
  await visit('disputes', { ranges: created }, (dispute) => collector.addDispute(dispute))
  await visit('invoices', { ranges: created }, (invoice) => collector.addInvoice(invoice))
  await visit('subscriptions', {}, (subscription) => collector.addSubscription(subscription))
  return collector.results()
}

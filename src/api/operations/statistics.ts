import {
  listStatisticsErrors,
  type Statistics,
  statisticsParams,
  statisticsSchema,
} from '../../domain/reports/statistics.ts'
import { listBuckets } from '../../domain/reports/statistics-range.ts'
import { collectStatistics } from '../../engine/statistics.ts'
import { defineReadOperation } from '../core/operation.ts'
import { requireUndeleted } from '../core/retrieve.ts'

/** The operation that computes statistics. */
export const statistics = {
  retrieve: defineReadOperation({
    path: '/v1/statistics',
    summary: 'Returns statistics of payments, refunds, recurring revenue and retries.',
    description:
      'Returns the number and sum of payments and refunds per interval (day, week or month) and currency. The response also contains the monthly recurring revenue, the number of subscriptions by status, and the results of retries. Without `test_clock`, the report counts only objects without a test clock; otherwise only objects on that clock. Requires the scope `events:read`.',
    params: statisticsParams,
    response: statisticsSchema,
    cost: 'expensive',
    validate: listStatisticsErrors,
    async load(
      reader,
      { interval = 'day', test_clock: testClock = null, history = false, ...fields },
      runtime,
    ): Promise<Statistics> {
      // Do not check the clock: statistics are also available while the clock is advancing or has failed.
      const now =
        testClock === null
          ? runtime.wallNow()
          : (await requireUndeleted(reader, 'test_clocks', testClock, 'test_clock')).frozen_time
      const buckets = listBuckets({ interval, ...fields }, now)
      const collected = await collectStatistics(runtime, {
        ...{ testClock, buckets, historyEnd: history ? now : null },
      })
      return { object: 'statistics', interval, test_clock: testClock, ...collected }
    },
  }),
}

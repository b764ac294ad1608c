import { getMonthlyRevenue } from '../../../src/domain/reports/recurring-revenue.ts'
import {
  findBucketIndex,
  listBuckets,
  type StatisticsInterval,
} from '../../../src/domain/reports/statistics-range.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/reports/statistics')

const at = (text: string) => Date.parse(`${text}Z`) / 1000
/** A Wednesday. */
const NOW = at('2024-02-14T10:30')

const DEFAULTS: readonly (readonly [StatisticsInterval, count: number, start: string, end: string])[] = [
  ['day', 30, '2024-01-16T00:00', '2024-02-15T00:00'],
  ['week', 12, '2023-11-27T00:00', '2024-02-19T00:00'],
  ['month', 12, '2023-03-01T00:00', '2024-03-01T00:00'],
]

for (const [interval, count, start, end] of DEFAULTS) {
  test(`the default range has ${count} times one ${interval} and contains the current time`, () => {
    const buckets = listBuckets({ interval }, NOW)
    assert.is(buckets.length, count)
    assert.equal([buckets[0]?.start, buckets.at(-1)?.end], [at(start), at(end)])
    assert.is(findBucketIndex(buckets, NOW), count - 1)
    for (const [index, bucket] of buckets.entries()) {
      assert.is(bucket.start, buckets[index - 1]?.end ?? bucket.start)
      assert.equal(
        [findBucketIndex(buckets, bucket.start), findBucketIndex(buckets, bucket.end - 1)],
        [index, index],
      )
    }
    assert.equal([findBucketIndex(buckets, at(start) - 1), findBucketIndex(buckets, at(end))], [-1, -1])
  })
}

test('rounds the range to whole intervals, with an exclusive end', () => {
  const range = (interval: StatisticsInterval, start: string, end: string) => {
    const buckets = listBuckets({ interval, start: at(start), end: at(end) }, NOW)
    return [buckets[0]?.start, buckets.at(-1)?.end]
  }
  assert.equal(range('day', '2024-01-01T12:00', '2024-01-03T00:00'), [
    at('2024-01-01T00:00'),
    at('2024-01-03T00:00'),
  ])
  assert.equal(range('day', '2024-01-01T12:00', '2024-01-03T00:01'), [
    at('2024-01-01T00:00'),
    at('2024-01-04T00:00'),
  ])
  assert.equal(range('week', '2024-01-07T23:59', '2024-01-08T00:00'), [
    at('2024-01-01T00:00'),
    at('2024-01-08T00:00'),
  ])
  assert.equal(range('month', '2023-12-31T23:59', '2024-02-29T00:00'), [
    at('2023-12-01T00:00'),
    at('2024-03-01T00:00'),
  ])
})

test('rejects a start that is not before the end, and more than 400 intervals', async () => {
  const day = 86_400
  assert.is(listBuckets({ interval: 'day', start: NOW - 399 * day }, NOW).length, 400)
  for (const start of [NOW + day, NOW - 400 * day]) {
    const error = await catchDomainError(() => listBuckets({ interval: 'day', start }, NOW))
    assert.equal([error.code, error.param], ['timestamp_invalid', 'start'])
  }
})

test('no interval starts before 1970', () => {
  assert.is(
    listBuckets({ interval: 'week' }, 0).every(({ start }) => start >= 0),
    true,
  )
})

type Billed = Parameters<typeof getMonthlyRevenue>[0]

function billed(interval: Billed['interval'], interval_count: number, ...amounts: readonly number[]): Billed {
  const items = amounts.map((amount) => ({
    ...{ id: 'si_1', description: null, type: 'other', quantity: 2 },
    price_data: { amount, currency: 'eur', tax_percent: 20 },
  }))
  return { interval, interval_count, items, current_period_start: 0, discount: null }
}

const MONTHLY: readonly (readonly [Billed, number])[] = [
  [billed('month', 1, 100, 50), 300],
  [billed('month', 3, 100), 67],
  [billed('year', 1, 600), 100],
  [billed('year', 1, 3), 1],
  [billed('year', 3, 8), 0],
  [billed('year', 3, 9), 1],
  [billed('week', 1, 300), 2600],
  [billed('week', 2, 1), 4],
  [billed('day', 1, 6), 365],
  [billed('month', 1, 0), 0],
  [billed('day', 1, 999_999_999_999), 60_833_333_333_273],
]

for (const [subscription, expected] of MONTHLY) {
  const { interval, interval_count, items } = subscription
  const prices = items.map(({ price_data }) => price_data.amount).join(' + ')
  test(`2 x (${prices}) every ${interval_count} ${interval} is ${expected} per month without tax`, () => {
    assert.is(getMonthlyRevenue(subscription), expected)
  })
}

test.run()

import {
  describeDunningFunnel,
  getTotalsByCurrency,
} from '../../../../src/dashboard/screens/payments/outcome-totals.ts'
import { createBarPlot, roundUpScale } from '../../../../src/dashboard/screens/payments/plot-bars.ts'
import type { DunningFunnelStep } from '../../../../src/domain/reports/dunning-funnel.ts'
import type { CurrencyTotals } from '../../../../src/domain/reports/statistics.ts'
import { assert, suite } from '../../../support/suite.ts'

const test = suite('dashboard/screens/payments/outcome-totals')

const NONE = { count: 0, amount: 0 }

function totals(currency: string, succeeded: number, failed: number, refunded = 0): CurrencyTotals {
  const of = (count: number) => ({ count, amount: 100 * count })
  return {
    currency,
    payments: {
      succeeded: of(succeeded),
      failed: of(failed),
      requires_action: of(1),
      requires_capture: NONE,
      processing: of(1),
      canceled: NONE,
    },
    refunds: { succeeded: of(refunded), pending: NONE, failed: of(9) },
    disputes: { open: NONE, won: NONE, lost: NONE },
  }
}

const BUCKETS = [
  { start: 0, end: 10, currencies: [totals('eur', 3, 1, 2), totals('usd', 1, 0)] },
  { start: 10, end: 20, currencies: [] },
  { start: 20, end: 30, currencies: [totals('eur', 2, 2)] },
]

test('sums buckets by currency, most payments first, without failed refunds', () => {
  const [eur, usd] = getTotalsByCurrency(BUCKETS)
  assert.is(eur?.currency, 'eur')
  assert.equal(eur?.totals.succeeded, { count: 5, amount: 500 })
  assert.equal(eur?.totals.waiting, { count: 4, amount: 400 })
  assert.equal(eur?.totals.refunded, { count: 2, amount: 200 })
  assert.equal(usd?.totals.succeeded, { count: 1, amount: 100 })
})

test('stacks outcomes above the axis and refunds below it', () => {
  const { bars, max, min } = createBarPlot(BUCKETS, '')
  assert.equal([max, min], [10, -2])
  assert.equal(
    bars[0]?.segments.map(({ series, from, to }) => [series.name, from, to]),
    [
      ['succeeded', 0, 4],
      ['waiting', 4, 8],
      ['failed', 8, 9],
      ['refunded', -2, 0],
    ],
  )
  assert.equal(bars[1]?.segments, [])
  assert.is(createBarPlot(BUCKETS, 'usd').max, 300)
})

test('an empty plot has a scale', () => {
  assert.equal(createBarPlot([], ''), { bars: [], max: 1, min: 0 })
})

test('rounds the end of a scale up to one significant digit', () => {
  const rounded = [0, 1, 1.5, 2, 3, 6, 10, 11, 499, 501].map(roundUpScale)
  assert.equal(rounded, [1, 1, 2, 2, 3, 6, 10, 20, 500, 600])
})

test('describes the dunning funnel in words', () => {
  const step = (
    attempt: number,
    reached: number,
    results: Partial<DunningFunnelStep>,
  ): DunningFunnelStep => ({
    ...{ attempt, reached, recovered: 0, open: 0, lost: 0 },
    ...results,
  })
  const words = describeDunningFunnel([step(1, 5, { open: 1 }), step(2, 4, { recovered: 2, lost: 2 })])
  assert.is(words, 'Of 5 invoices whose first charge failed: 2 recovered, 1 still retried, 2 lost.')
  assert.match(describeDunningFunnel([]), /No invoice/)
})

test.run()

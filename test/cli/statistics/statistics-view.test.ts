import { createStyle } from '../../../src/cli/output/style.ts'
import { computeBarColumns } from '../../../src/cli/statistics/statistics-plot.ts'
import { formatStatistics } from '../../../src/cli/statistics/statistics-view.ts'
import type { Statistics } from '../../../src/domain/reports/statistics.ts'
import { listBuckets } from '../../../src/domain/reports/statistics-range.ts'
import { getDisplayWidth } from '../../../src/domain/text/display-width.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/statistics-view')

const NONE = { count: 0, amount: 0 }
const NO_PAYMENTS = {
  succeeded: NONE,
  failed: NONE,
  requires_action: NONE,
  requires_capture: NONE,
  processing: NONE,
  canceled: NONE,
}
const NO_REFUNDS = { succeeded: NONE, pending: NONE, failed: NONE }
const NO_DISPUTES = { open: NONE, won: NONE, lost: NONE }
const EUR = {
  currency: 'eur',
  payments: { ...NO_PAYMENTS, succeeded: { count: 2, amount: 9000 }, failed: { count: 1, amount: 3000 } },
  refunds: { ...NO_REFUNDS, succeeded: { count: 1, amount: 500 } },
  disputes: NO_DISPUTES,
}
const JPY = {
  currency: 'jpy',
  payments: { ...NO_PAYMENTS, processing: { count: 1, amount: 7 } },
  refunds: NO_REFUNDS,
  disputes: NO_DISPUTES,
}

/** Statistics of three days; the second day has payments in two currencies. */
const STATISTICS: Statistics = {
  ...{ object: 'statistics', interval: 'day', test_clock: null, start: 0, end: 259_200 },
  data: listBuckets({ interval: 'day', start: 0, end: 259_200 }, 0).map((bucket, index) => ({
    ...bucket,
    currencies: [[], [EUR, JPY], [{ ...EUR, refunds: NO_REFUNDS }]][index] ?? [],
  })),
  recurring_revenue: [{ currency: 'eur', amount: 1250, subscriptions: 1 }],
  subscriptions: { pending: 0, trialing: 2, active: 1, past_due: 3, unpaid: 0, paused: 0, canceled: 0 },
  dunning: [{ attempt: 1, reached: 4, recovered: 0, open: 3, lost: 1 }],
  history: null,
}
const EMPTY = { ...STATISTICS, data: [], recurring_revenue: [], dunning: [] }

function format(statistics: Statistics, width: number, hasPlot = false, isColored = false) {
  return formatStatistics(statistics, { style: createStyle(isColored), width, isWide: false }, hasPlot)
}

test('prints payments, recurring revenue, subscriptions and retries', () => {
  assert.equal(format(STATISTICS, 80).text.split('\n'), [
    'from            succeeded         failed      refunded    pending',
    '1970-01-02  90.00 EUR (2)  30.00 EUR (1)  5.00 EUR (1)          -',
    '                        -              -             -  7 JPY (1)',
    '1970-01-03  90.00 EUR (2)  30.00 EUR (1)             -          -',
    '',
    'Monthly recurring revenue: 12.50 EUR from 1 subscription',
    'Subscriptions: 2 trialing, 1 active, 3 past due',
    '',
    'Invoices whose first charge failed',
    'attempt  reached  recovered  open  lost',
    '      1        4          0     3     1',
    '',
  ])
})

test('a plot has a stacked bar per interval from the first payment on, and a legend', () => {
  assert.equal(format(STATISTICS, 40, true).text.split('\n').slice(0, 9), [
    'Payments in EUR per day',
    '1970-01-02  ████████████▒▒▒▒  120.00 EUR',
    '1970-01-03  ████████████▒▒▒▒  120.00 EUR',
    '',
    'Payments in JPY per day',
    '1970-01-02  ░░░░░░░░░░░░░░░░░░░░░  7 JPY',
    '1970-01-03',
    '',
    '█ succeeded',
  ])
})

test('plots and tables fit the terminal', () => {
  for (const width of [40, 60, 80, 120])
    for (const hasPlot of [false, true])
      for (const line of format(STATISTICS, width, hasPlot).text.split('\n'))
        assert.ok(getDisplayWidth(line) <= width, `${width}: ${line}`)
  assert.is(format(STATISTICS, 40).isWhole, false)
  assert.is(format(STATISTICS, 80).isWhole, true)
})

test('colors do not change the characters of a plot', () => {
  const colored = format(STATISTICS, 60, true, true).text
  assert.ok(colored.includes('\u001b[31m▒'))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removes the styles
  assert.is(colored.replace(/\u001b\[\d+m/g, ''), format(STATISTICS, 60, true).text)
})

test('prints a note when there are no payments', () => {
  for (const hasPlot of [false, true]) {
    assert.equal(format(EMPTY, 80, hasPlot).text.split('\n').slice(0, 3), [
      'No payments or refunds from 1970-01-01 to 1970-01-03.',
      '',
      'Monthly recurring revenue: none',
    ])
  }
})

test('a stacked bar has the length of a single bar for its sum, and at least one column', () => {
  assert.equal(computeBarColumns([50, 50, 0], 100, 10), [5, 5, 0])
  assert.equal(computeBarColumns([1, 1, 1], 3, 10), [3, 4, 3])
  assert.equal(computeBarColumns([0, 1, 0], 1_000_000, 10), [0, 1, 0])
  assert.equal(computeBarColumns([0, 0, 0], 0, 10), [0, 0, 0])
  assert.equal(computeBarColumns([Number.MAX_SAFE_INTEGER, 0, 0], Number.MAX_SAFE_INTEGER, 80), [80, 0, 0])
})

test.run()

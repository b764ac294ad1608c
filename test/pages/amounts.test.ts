import { formatMoney } from '../../src/pages/amounts.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('amounts')

const CASES: readonly (readonly [amount: number, currency: string, written: string])[] = [
  [0, 'eur', '€0.00'],
  [5, 'eur', '€0.05'],
  [99_999, 'eur', '€999.99'],
  [100_000, 'eur', '€1,000.00'],
  [123_456_789, 'usd', '$1,234,567.89'],
  [1250, 'jpy', '¥1,250'],
  [999, 'jpy', '¥999'],
  [1_234_567, 'kwd', 'KWD\u00a01,234.567'],
  [1, 'kwd', 'KWD\u00a00.001'],
  [120_000, 'chf', 'CHF\u00a01,200.00'],
  [999_999_999_999, 'idr', 'IDR\u00a09,999,999,999.99'],
  [Number.MAX_SAFE_INTEGER, 'gbp', '£90,071,992,547,409.91'],
]

for (const [amount, currency, written] of CASES) {
  test(`${amount} ${currency} is written ${written}`, () => assert.is(formatMoney(amount, currency), written))
}

test('what is no whole number of minor units is refused', () => {
  assert.throws(() => formatMoney(1.5, 'eur'))
  assert.throws(() => formatMoney(1, 'EUR'))
})

test.run()

import fc from 'fast-check'
import { type ProratableItem, prorateAmount } from '../../src/domain/billing/prorations.ts'
import { calculateTax } from '../../src/domain/core/money.ts'
import { runCount } from '../support/property.ts'
import { amountsOf, changeInTurn, seat, taxOf } from '../support/prorations.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('property/prorations')

const DAY = 86_400
const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)

/** Prices in the minor units of each currency: cents, yen and fils. */
const PRICES = {
  eur: fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.constantFrom(0, 1, 999, 1000, 1999)),
  jpy: fc.oneof(fc.integer({ min: 0, max: 1_000_000 }), fc.constantFrom(0, 1, 2, 980, 1000)),
  kwd: fc.oneof(fc.integer({ min: 0, max: 100_000_000 }), fc.constantFrom(0, 1, 5, 3500, 999_999_999_999)),
}
const RUNS = 400

const taxRates = fc.constantFrom(0, 0.0001, 5.5, 7, 8.1, 19, 20, 99.9999, 100)
const periods = fc.constantFrom(
  ...[1, 7, 28, 29, 30, 31, 365, 366].map((days) => ({ start: 1000, end: 1000 + days * DAY })),
)

function itemsOf(prices: fc.Arbitrary<number>) {
  const one = (id: string) =>
    fc
      .record({ amount: prices, quantity: fc.integer({ min: 0, max: 50 }), tax_percent: taxRates })
      .map(({ amount, quantity, tax_percent }) => seat(amount, { id, quantity, tax_percent }))
  return fc.tuple(one('si_1'), one('si_2'), one('si_3')).chain((all) => fc.subarray(all))
}

/** Generates a period with its first items and a series of item changes in the order of time. */
function seriesOf(prices: fc.Arbitrary<number>) {
  const change = fc.record({ to: itemsOf(prices), share: fc.nat({ max: 999_999 }) })
  return fc
    .record({ period: periods, items: itemsOf(prices), changes: fc.array(change, { maxLength: 6 }) })
    .map(({ period, items, changes }) => {
      const length = period.end - period.start
      const timed = changes.map(({ to, share }) => ({
        to,
        at: period.start + Math.floor((share * length) / 1_000_000),
      }))
      return { period, items, changes: timed.sort((a, b) => a.at - b.at) }
    })
}

/** Returns the price of the items for the given seconds, times the length of the period. */
function priceFor(items: readonly ProratableItem[], seconds: number): bigint {
  const prices = items.map((item) => BigInt(item.quantity * item.price_data.amount))
  return prices.reduce((sum, price) => sum + price, 0n) * BigInt(seconds)
}

for (const [currency, prices] of Object.entries(PRICES)) {
  test(`a change and its reversal at the same time cost nothing, with tax (${currency})`, () => {
    const property = fc.property(seriesOf(prices), itemsOf(prices), ({ period, items, changes }, other) => {
      const last = changes.at(-1)
      const [now, at] = [last?.to ?? items, last?.at ?? period.start]
      // A removed item returns as a new item.
      const back = now.map((item) =>
        other.some(({ id }) => id === item.id) ? item : { ...item, id: `${item.id}_back` },
      )
      const once = changeInTurn(items, changes, period)
      const there = [...changes, { to: other, at }, { to: back, at }]
      const both = changeInTurn(items, there, period).slice(once.length)
      assert.is(sumOf(amountsOf(both)), 0)
      assert.is(sumOf(both.map(taxOf)), 0)
    })
    fc.assert(property, runCount(RUNS))
  })

  test(`the sum of a series of item changes is the price over time, within half a minor unit per line (${currency})`, () => {
    const property = fc.property(seriesOf(prices), ({ period, items, changes }) => {
      const prorations = changeInTurn(items, changes, period)
      const length = period.end - period.start
      const steps = [{ to: items, at: period.start }, ...changes]
      const exact = steps.reduce(
        (sum, { to, at }, index) => sum + priceFor(to, (steps[index + 1]?.at ?? period.end) - at),
        0n,
      )
      const billed = priceFor(items, length) + BigInt(sumOf(amountsOf(prorations))) * BigInt(length)
      const error = billed > exact ? billed - exact : exact - billed
      assert.ok(2n * error <= BigInt(prorations.length * length), `${error} of ${length}`)
    })
    fc.assert(property, runCount(RUNS))
  })

  test(`a series of item changes never credits an item more than its charges, with tax (${currency})`, () => {
    const property = fc.property(seriesOf(prices), ({ period, items, changes }) => {
      const prorations = changeInTurn(items, changes, period)
      for (const id of ['si_1', 'si_2', 'si_3']) {
        const item = items.find((one) => one.id === id)
        const price = item === undefined ? 0 : item.quantity * item.price_data.amount
        let net = price
        let tax = item === undefined ? 0 : calculateTax(price, item.price_data.tax_percent)
        for (const proration of prorations.filter(({ subscription_item }) => subscription_item === id)) {
          net += proration.amount
          tax += taxOf(proration)
          assert.ok(net >= 0 && tax >= 0, `${id} was credited too much: ${net} and tax ${tax}`)
        }
      }
    })
    fc.assert(property, runCount(RUNS))
  })

  test(`the same change of a period of another length has the same amounts (${currency})`, () => {
    const property = fc.property(
      seriesOf(prices),
      fc.integer({ min: 2, max: 40 }),
      ({ period, items, changes }, k) => {
        const scaled = changes.map(({ to, at }) => ({ to, at: at * k }))
        const longer = { start: period.start * k, end: period.end * k }
        const prorations = changeInTurn(items, scaled, longer)
        assert.equal(amountsOf(prorations), amountsOf(changeInTurn(items, changes, period)))
      },
    )
    fc.assert(property, runCount(RUNS))
  })

  test(`a multiple of a price has the multiple of its proration, within rounding (${currency})`, () => {
    const scaling = fc.record({
      price: prices,
      k: fc.integer({ min: 2, max: 1000 }),
      series: seriesOf(prices),
    })
    const property = fc.property(scaling, ({ price, k, series: { period, changes } }) => {
      const at = changes[0]?.at ?? period.start
      const difference = prorateAmount(price * k, period, at) - k * prorateAmount(price, period, at)
      assert.ok(2 * Math.abs(difference) <= k + 1, String(difference))
    })
    fc.assert(property, runCount(RUNS))
  })
}

test.run()

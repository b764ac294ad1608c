import fc from 'fast-check'
import {
  addAmounts,
  calculateLineTotals,
  calculateTax,
  groupTaxesByRate,
  isTaxPercent,
  multiplyAmount,
  sumLineTotals,
  type TaxableLine,
} from '../../../src/domain/core/money.ts'
import { propertySettings } from '../../support/property.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/core/money')

const MAX_AMOUNT = 999_999_999_999
const MAX_PPM = 1_000_000
const PROPERTY_RUNS = 100_000

/** Returns the tax rate in percent for parts per million, parsed from the decimal string as in JSON. */
function percentOf(ppm: number): number {
  return Number(`${Math.floor(ppm / 10_000)}.${String(ppm % 10_000).padStart(4, '0')}`)
}

/** Rounds the exact fraction amount·ppm/10⁶ half up, by quotient and remainder. */
function exactTax(amount: number, ppm: number): number {
  const numerator = BigInt(amount) * BigInt(ppm)
  const quotient = numerator / 1_000_000n
  const remainder = numerator % 1_000_000n
  return Number(remainder >= 500_000n ? quotient + 1n : quotient)
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)

const anyAmount = fc.integer({ min: 0, max: MAX_AMOUNT })
const anyPpm = fc.oneof(
  fc.integer({ min: 0, max: MAX_PPM }),
  fc.constantFrom(0, 55_000, 70_000, 190_000, 200_000, MAX_PPM),
)
const anyLine: fc.Arbitrary<TaxableLine> = fc.record({
  amount: anyAmount,
  tax_percent: anyPpm.map(percentOf),
})
const anyLines = fc.array(anyLine, { minLength: 1, maxLength: 20 })

test('tax equals the exact fraction rounded half up', () => {
  const property = fc.property(anyAmount, anyPpm, (amount, ppm) => {
    assert.is(calculateTax(amount, percentOf(ppm)), exactTax(amount, ppm))
  })
  fc.assert(property, { ...propertySettings, numRuns: PROPERTY_RUNS })
})

test('accepts every tax rate from 0 to 100 with four decimals and computes it exactly', () => {
  for (let ppm = 0; ppm <= MAX_PPM; ppm++) {
    const percent = percentOf(ppm)
    if (!isTaxPercent(percent) || calculateTax(1_000_000, percent) !== ppm)
      assert.unreachable(String(percent))
  }
})

test('rounds tax per line as in the example of the Stripe support page', () => {
  assert.is(calculateTax(43, 15), 6, '0.0645 becomes 0.06')
  assert.is(calculateTax(1453, 5), 73, '0.7265 becomes 0.73')
  const lines = [
    { amount: 43, tax_percent: 15 },
    { amount: 1453, tax_percent: 5 },
  ]
  assert.is(sumLineTotals(lines).amount_tax, 79)
})

test('rounds exactly half a minor unit up and less than that down', () => {
  assert.is(calculateTax(50, 1), 1)
  assert.is(calculateTax(49, 1), 0)
  assert.is(calculateTax(5, 10), 1)
  assert.is(calculateTax(1, 49.9999), 0)
  assert.is(calculateTax(1, 50), 1)
})

test('computes the exact tax where floating point is wrong', () => {
  assert.is(Math.round((3000 * 1.15) / 100), 34, 'floating point loses the half')
  assert.is(calculateTax(3000, 1.15), 35)
  assert.is(Math.trunc(0.57 * 10_000), 5699, 'floating point loses a millionth')
  assert.is(calculateTax(1_000_000, 0.57), 5700)
  assert.is(calculateTax(Number.MAX_SAFE_INTEGER, 100), Number.MAX_SAFE_INTEGER)
  assert.is(calculateTax(MAX_AMOUNT, 0.0001), 1_000_000)
})

test('accepts only tax rates from 0 to 100 with at most four decimals', () => {
  for (const value of [0, 0.0001, 5.5, 19.6, 20, 99.9999, 100]) assert.ok(isTaxPercent(value), String(value))
  const wrong = [
    -0.0001,
    -1,
    100.0001,
    101,
    0.00001,
    1e-7,
    19.60001,
    1e21,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ]
  for (const value of [...wrong, '20', '', null, undefined, 20n, [20], {}, true]) {
    assert.not(isTaxPercent(value), String(value))
  }
})

test('throws RangeError for an invalid amount or tax rate', () => {
  for (const amount of [0.5, Number.NaN, 2 ** 53, -(2 ** 53)])
    assert.throws(() => calculateTax(amount, 20), RangeError)
  for (const percent of [-1, 100.5, 0.00001, Number.NaN])
    assert.throws(() => calculateTax(100, percent), RangeError)
})

test('the tax on a credit is the negative tax on the charge, and never -0', () => {
  const property = fc.property(anyAmount, anyPpm, (amount, ppm) => {
    assert.is(calculateTax(-amount, percentOf(ppm)) + calculateTax(amount, percentOf(ppm)), 0)
  })
  fc.assert(property, propertySettings)
  assert.is(calculateTax(-50, 1), -1, 'half a unit is rounded away from zero')
  assert.ok(Object.is(calculateTax(-49, 1), 0))
  assert.equal(calculateLineTotals({ amount: -500, tax_percent: 19 }), {
    amount_subtotal: -500,
    amount_discount: 0,
    amount_tax: -95,
    amount_total: -595,
  })
})

test('multiplies a quantity by a unit price exactly up to 2^53-1 and throws above this limit', () => {
  assert.is(multiplyAmount(3, 1500), 4500)
  assert.is(multiplyAmount(3, -1500), -4500)
  assert.ok(Object.is(multiplyAmount(0, -1500), 0))
  assert.is(multiplyAmount(1, Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
  assert.is(multiplyAmount(9007, 1_000_000_000_000), 9_007_000_000_000_000)
  for (const unit of [1_000_000_000_000, -1_000_000_000_000])
    assert.throws(() => multiplyAmount(9008, unit), RangeError)
  assert.throws(() => multiplyAmount(2 ** 26, 2 ** 27), RangeError)
})

test('adds amounts exactly within ±(2^53-1) and throws outside this range', () => {
  assert.is(addAmounts(), 0)
  assert.is(addAmounts(1, 2, 3), 6)
  assert.is(addAmounts(1, -3), -2)
  assert.is(addAmounts(Number.MAX_SAFE_INTEGER, 0), Number.MAX_SAFE_INTEGER)
  assert.throws(() => addAmounts(Number.MAX_SAFE_INTEGER, 1), RangeError)
  assert.throws(() => addAmounts(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER), RangeError)
  assert.throws(() => addAmounts(-Number.MAX_SAFE_INTEGER, -1), RangeError)
  assert.throws(() => addAmounts(0.1, 0.2), RangeError)
})

test('the total of a line is its amount plus its tax', () => {
  assert.equal(calculateLineTotals({ amount: 100_000, tax_percent: 20 }), {
    amount_subtotal: 100_000,
    amount_discount: 0,
    amount_tax: 20_000,
    amount_total: 120_000,
  })
})

test('the total of no lines is zero', () => {
  assert.equal(sumLineTotals([]), { amount_subtotal: 0, amount_discount: 0, amount_tax: 0, amount_total: 0 })
  assert.equal(groupTaxesByRate([]), [])
})

test('computes the total of twenty lines with the largest amount and tax rate', () => {
  const lines = Array.from({ length: 20 }, () => ({ amount: MAX_AMOUNT, tax_percent: 100 }))
  assert.is(sumLineTotals(lines).amount_total, 40 * MAX_AMOUNT)
})

test('all amounts of an invoice are non-negative safe integers and add up to the totals', () => {
  const property = fc.property(anyLines, (lines) => {
    const totals = sumLineTotals(lines)
    for (const amount of Object.values(totals)) assert.ok(Number.isSafeInteger(amount) && amount >= 0)
    assert.is(totals.amount_subtotal, sum(lines.map((line) => line.amount)))
    assert.is(totals.amount_tax, sum(lines.map((line) => calculateLineTotals(line).amount_tax)))
    assert.is(totals.amount_total, totals.amount_subtotal + totals.amount_tax)
  })
  fc.assert(property, propertySettings)
})

test('the taxes by rate add up to the total tax, and their taxable amounts to the subtotal', () => {
  const property = fc.property(anyLines, (lines) => {
    const taxes = groupTaxesByRate(lines)
    assert.is(sum(taxes.map((tax) => tax.amount)), sumLineTotals(lines).amount_tax)
    assert.is(sum(taxes.map((tax) => tax.taxable_amount)), sumLineTotals(lines).amount_subtotal)
    assert.equal(
      taxes.map((tax) => tax.tax_percent),
      [...new Set(lines.map((line) => line.tax_percent))],
    )
  })
  fc.assert(property, propertySettings)
})

test('the taxes by rate are in order of first appearance and include the rate 0', () => {
  const lines = [
    { amount: 1000, tax_percent: 20 },
    { amount: 300, tax_percent: 0 },
    { amount: 43, tax_percent: 5.5 },
    { amount: 500, tax_percent: 20 },
  ]
  assert.equal(groupTaxesByRate(lines), [
    { tax_percent: 20, taxable_amount: 1500, amount: 300 },
    { tax_percent: 0, taxable_amount: 300, amount: 0 },
    { tax_percent: 5.5, taxable_amount: 43, amount: 2 },
  ])
})

test('the sum of rounded taxes of n lines differs from the tax of their sum by at most (n + 1) / 2', () => {
  const amounts = fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 20 })
  const property = fc.property(amounts, anyPpm, (given, ppm) => {
    const perLine = sum(given.map((amount) => calculateTax(amount, percentOf(ppm))))
    assert.ok(Math.abs(perLine - calculateTax(sum(given), percentOf(ppm))) <= (given.length + 1) / 2)
  })
  fc.assert(property, { ...propertySettings, numRuns: PROPERTY_RUNS })
})

test('multiplying all amounts by ten multiplies the total by ten, and reordering the lines changes no total', () => {
  const property = fc.property(anyLines, (lines) => {
    const untaxed = lines.map(({ amount }) => ({ amount, tax_percent: 0 }))
    const tenfold = untaxed.map(({ amount }) => ({ amount: amount * 10, tax_percent: 0 }))
    assert.is(sumLineTotals(tenfold).amount_total, sumLineTotals(untaxed).amount_total * 10)
    assert.equal(sumLineTotals([...lines].reverse()), sumLineTotals(lines))
  })
  fc.assert(property, propertySettings)
})

test.run()

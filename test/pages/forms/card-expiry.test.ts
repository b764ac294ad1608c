import {
  formatCardExpiry,
  formatTypedExpiry,
  parseCardExpiry,
  toExpiryErrors,
} from '../../../src/pages/forms/card-expiry.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('card-expiry')

/** Columns: entered text, its month and year or null, complete text of the field. */
const EXPIRIES: readonly (readonly [
  text: string,
  expiry: readonly [string, string] | null,
  shown: string,
])[] = [
  ['1230', ['12', '30'], '12 / 30'],
  ['12/30', ['12', '30'], '12 / 30'],
  ['12/2030', ['12', '2030'], '12 / 30'],
  ['1/30', ['1', '30'], '01 / 30'],
  ['01/30', ['01', '30'], '01 / 30'],
  ['12 30', ['12', '30'], '12 / 30'],
  ['12-30', ['12', '30'], '12 / 30'],
  ['12–2030', ['12', '2030'], '12 / 30'],
  ['12.30', ['12', '30'], '12 / 30'],
  ['12／30', ['12', '30'], '12 / 30'],
  [' 12  /  2030 ', ['12', '2030'], '12 / 30'],
  ['\u200e12/30\u200e', ['12', '30'], '12 / 30'],
  ['١٢/٣٠', ['12', '30'], '12 / 30'],
  ['１２３０', ['12', '30'], '12 / 30'],
  ['2030-12', ['12', '2030'], '12 / 30'],
  ['2030-1', ['1', '2030'], '01 / 30'],
  ['122030', ['12', '2030'], '12 / 30'],
  ['12030', ['1', '2030'], '01 / 30'],
  ['930', ['9', '30'], '09 / 30'],
  ['92030', ['9', '2030'], '09 / 30'],
  ['130', ['1', '30'], '01 / 30'],
  ['0930', ['09', '30'], '09 / 30'],
  ['1330', ['13', '30'], '13 / 30'],
  ['0/30', ['0', '30'], '0 / 30'],
  ['12/3', ['12', '3'], '12 / 3'],
  ['12/300', ['12', '300'], '12 / 300'],
  ['12/1999', ['12', '1999'], '12 / 1999'],
  ['12/030', ['1', '2030'], '01 / 30'],
  ['127', ['1', '27'], '01 / 27'],
  ['12', null, ''],
  ['12/', null, ''],
  ['/30', null, ''],
  ['1/2/30', null, ''],
  ['12/30000', null, ''],
  ['4242424242424242', null, ''],
  ['Dec 30', null, ''],
  ['-1/30', ['1', '30'], '01 / 30'],
  ['', null, ''],
]

for (const [text, expected, shown] of EXPIRIES) {
  test(`reads ${JSON.stringify(text)} as ${shown || 'no expiry'}`, () => {
    const expiry = parseCardExpiry(text)
    assert.equal([expiry.exp_month, expiry.exp_year], expected ?? ['', ''])
    assert.is(formatCardExpiry(expiry), shown)
  })
}

test('parses a formatted expiry as the same month and year', () => {
  for (const [text, expected, shown] of EXPIRIES) {
    if (expected === null) continue
    const [month, year] = expected.map(Number)
    const { exp_month, exp_year } = parseCardExpiry(shown)
    assert.is(Number(exp_month), month, text)
    assert.is(Number(exp_year) % 100, (year ?? 0) % 100, text)
  }
})

const TYPED: readonly (readonly [text: string, shown: string])[] = [
  ['1', '1'],
  ['12', '12'],
  ['123', '12 / 3'],
  ['1230', '12 / 30'],
  ['122030', '12 / 2030'],
  ['12/', '12 / '],
  ['1/', '1 / '],
  ['1 / 3', '1 / 3'],
  ['12 / 30', '12 / 30'],
  ['12030', '12 / 030'],
  ['13', '01 / 3'],
  ['130', '01 / 30'],
  ['2', '2'],
  ['20', '20'],
  ['21', '02 / 1'],
  ['9', '9'],
  ['930', '09 / 30'],
  ['0930', '09 / 30'],
  ['١٢٣', '12 / 3'],
  ['12-3', '12-3'],
  ['x', 'x'],
]

test('separates month and year while typing, and keeps the digits', () => {
  const digitsOf = (text: string) => text.replace(/\D/g, '')
  for (const [text, shown] of TYPED) {
    assert.is(formatTypedExpiry(text), shown)
    assert.is(formatTypedExpiry(shown), shown, 'formatting again changes nothing')
    if (/^[\d/]+$/.test(text))
      assert.ok([digitsOf(text), `0${digitsOf(text)}`].includes(digitsOf(shown)), text)
  }
})

test('shows the errors of month and year as errors of the expiry, and a single error when both are invalid', () => {
  const [number, month, year, cvc] = ['number', 'exp_month', 'exp_year', 'cvc'].map((param) => {
    return { param, message: `${param} is invalid` }
  })
  if (!number || !month || !year || !cvc) throw new Error('an error is missing')
  assert.equal(toExpiryErrors([number, month, cvc]), [number, { ...month, param: 'expiry' }, cvc])
  assert.equal(toExpiryErrors([year]), [{ ...year, param: 'expiry' }])
  assert.equal(toExpiryErrors([month, year, cvc]), [
    { param: 'expiry', message: 'Enter the expiry date as month and year, such as 12/30.' },
    cvc,
  ])
})

test.run()

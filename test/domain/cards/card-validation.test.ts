import fc from 'fast-check'
import {
  type CardFields,
  type CardFieldValue,
  getCardBrand,
  hasValidCheckDigit,
  isExpiredCard,
  listCardErrors,
  normalizeCardNumber,
  parseCard,
} from '../../../src/domain/cards/card-validation.ts'
import { propertySettings } from '../../support/property.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/cards/card-validation')

const NOW = Date.parse('2026-11-21T08:47:44Z') / 1000
const VALID: CardFields = { number: '4242424242424242', exp_month: 12, exp_year: 2030, cvc: '123' }

const codesOf = (changes: CardFields) =>
  listCardErrors({ ...VALID, ...changes }, NOW).map(({ code, param }) => `${code}@${param}`)

const all = (
  entries: readonly CardFieldValue[],
  ok: (entry: CardFieldValue) => readonly string[],
  expected: string[],
) => {
  for (const entry of entries) assert.equal(ok(entry), expected, JSON.stringify(entry))
}

test('accepts a valid card with strings or integers', () => {
  assert.equal(listCardErrors(VALID, NOW), [])
  assert.equal(codesOf({ number: '4242 4242 4242 4242', exp_month: '12', exp_year: '30', cvc: '123' }), [])
  assert.equal(codesOf({ number: 4242424242424242, exp_month: 1, exp_year: 27, cvc: 123 }), [])
})

test('reports a missing card number', () => {
  const entries = [undefined, null, '', '   ', ' - - ']
  all(entries, (number) => codesOf({ number }), ['card_number_missing@number'])
})

test('rejects a number with other characters, with a wrong length or that fails the Luhn check', () => {
  const entries = ['4242424242424241', '4242', 'abcd', '4242x4242y4242z4242', '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢', 0, -1, 1.5]
  all([...entries, '0'.repeat(11), '0'.repeat(20), '4242424242424242a'], (number) => codesOf({ number }), [
    'incorrect_number@number',
  ])
})

test('accepts an unknown number that passes the Luhn check', () => {
  all(['4111111111111111', '6304000000000000', 5555555555554444], (number) => codesOf({ number }), [])
})

test('accepts only months from 1 to 12', () => {
  for (let month = 1; month <= 12; month++) {
    all(
      [month, `${month}`, `${month}`.padStart(2, '0'), ` ${month} `],
      (exp_month) => codesOf({ exp_month }),
      [],
    )
  }
  const entries = [
    undefined,
    null,
    '',
    0,
    13,
    -1,
    1.5,
    '0',
    '00',
    '13',
    '1.5',
    '001',
    'Dec',
    Number.NaN,
    '1e1',
  ]
  all(entries, (exp_month) => codesOf({ exp_month }), ['invalid_expiry_month@exp_month'])
})

test('accepts only years of two or four digits', () => {
  all([30, 2030, '30', '2030', ' 2030 ', 99, '9999'], (exp_year) => codesOf({ exp_year }), [])
  const entries = [undefined, null, '', 3, '3', '203', 20300, '20300', -30, 30.5, 'abcd', Number.NaN, "'30"]
  all(entries, (exp_year) => codesOf({ exp_year }), ['invalid_expiry_year@exp_year'])
})

test('accepts a card until the last second of its expiry month in UTC', () => {
  const card = { exp_month: 11, exp_year: 2026 }
  const end = Date.parse('2026-12-01T00:00:00Z') / 1000
  assert.equal(listCardErrors({ ...VALID, ...card }, end - 1), [])
  assert.is(listCardErrors({ ...VALID, ...card }, end)[0]?.code, 'invalid_expiry_month')
  assert.not(isExpiredCard(card, end - 1))
  assert.ok(isExpiredCard(card, end))
})

test('reports an expiry month or year in the past', () => {
  const table = '10 2026 month|1 2026 month|12 2025 year|11 2025 year|1 2000 year|5 25 year|10 26 month'
  for (const row of table.split('|')) {
    const [month = '', year = '', part] = row.split(' ')
    const errors = listCardErrors({ ...VALID, exp_month: month, exp_year: year }, NOW)
    assert.is(errors.length, 1, row)
    assert.is(errors[0]?.code, `invalid_expiry_${part}`, row)
    assert.match(errors[0]?.message ?? '', 'in the past')
  }
  assert.equal(codesOf({ exp_month: 11, exp_year: 2026 }), [])
  assert.equal(codesOf({ exp_month: 1, exp_year: 2027 }), [])
})

test('a card is expired when its expiry month is before the current month', () => {
  const months = fc.record({
    month: fc.integer({ min: 1, max: 12 }),
    year: fc.integer({ min: 2000, max: 2099 }),
  })
  const property = fc.property(months, months, (card, now) => {
    const timestamp = Date.UTC(now.year, now.month - 1, 15) / 1000
    const expired = isExpiredCard({ exp_month: card.month, exp_year: card.year }, timestamp)
    assert.is(expired, card.year * 12 + card.month < now.year * 12 + now.month)
  })
  fc.assert(property, propertySettings)
})

test('requires 3 digits for the security code, and 4 for American Express', () => {
  const amex = '378282246310005'
  all(['123', '000', 123, ' 123 '], (cvc) => codesOf({ cvc }), [])
  all(['1234', 1234, '0000'], (cvc) => codesOf({ number: amex, cvc }), [])
  const wrong = [undefined, null, '', '12', '12a', 'abc', '١٢٣', -12, 1.2, '12345', '1 3']
  for (const number of [VALID.number, amex]) {
    all(wrong, (cvc) => codesOf({ number, cvc }), ['invalid_cvc@cvc'])
  }
  assert.equal(codesOf({ cvc: '1234' }), ['invalid_cvc@cvc'])
  assert.equal(codesOf({ number: amex, cvc: '123' }), ['invalid_cvc@cvc'])
})

test('accepts a security code of 3 or 4 digits for an unknown network', () => {
  for (const cvc of ['123', '1234']) {
    assert.equal(codesOf({ number: '', cvc }), ['card_number_missing@number'])
    assert.equal(codesOf({ number: '9999', cvc }), ['incorrect_number@number'])
  }
})

test('returns all validation errors of a card in field order', () => {
  assert.equal(
    listCardErrors({}, NOW).map((error) => error.param),
    ['number', 'exp_month', 'exp_year', 'cvc'],
  )
  assert.equal(codesOf({ number: '4242', exp_month: 13, exp_year: 2020, cvc: '1' }), [
    'incorrect_number@number',
    'invalid_expiry_month@exp_month',
    'invalid_expiry_year@exp_year',
    'invalid_cvc@cvc',
  ])
})

test('returns exactly the errors of the invalid fields, for every subset', () => {
  const wrong: CardFields = { number: '4242', exp_month: 0, exp_year: 2020, cvc: 'x' }
  const names = ['number', 'exp_month', 'exp_year', 'cvc'] as const
  fc.assert(
    fc.property(fc.subarray([...names]), (chosen) => {
      const changes = Object.fromEntries(chosen.map((name) => [name, wrong[name]]))
      assert.equal(
        listCardErrors({ ...VALID, ...changes }, NOW).map((error) => error.param),
        chosen,
      )
    }),
    propertySettings,
  )
})

test('no error message repeats an entered value', () => {
  const entered = { number: '4929123412341234', exp_month: 87, exp_year: 1987, cvc: '98765' }
  const messages = listCardErrors(entered, NOW).map((error) => error.message)
  assert.is(messages.length, 4)
  for (const message of messages) {
    assert.match(message, /^[A-Z].*\.$/)
    for (const entry of Object.values(entered)) assert.not(message.includes(String(entry)))
  }
})

test('parses the number without separators, the year with four digits and the security code as a string', () => {
  const parsed = { number: '4242424242424242', exp_month: 3, exp_year: 2030, cvc: '012' }
  assert.equal(
    parseCard({ number: '4242-4242 4242–4242', exp_month: '03', exp_year: '30', cvc: ' 012 ' }),
    parsed,
  )
  assert.equal(parseCard({ number: 4242424242424242, exp_month: 3, exp_year: 2030, cvc: '012' }), parsed)
  assert.ok(Number.isNaN(parseCard({}).exp_month) && Number.isNaN(parseCard({}).exp_year))
})

test('normalizing a card number removes only spaces and dashes', () => {
  assert.is(normalizeCardNumber(' 4242 4242-4242\u00a04242\t'), '4242424242424242')
  assert.is(normalizeCardNumber('42.42/ab'), '42.42/ab')
})

test('the Luhn check detects one changed digit and two swapped adjacent digits, except 0 and 9', () => {
  const number = '4000056655665556'
  for (let index = 0; index < number.length; index++) {
    for (const digit of '0123456789') {
      const changed = number.slice(0, index) + digit + number.slice(index + 1)
      assert.is(hasValidCheckDigit(changed), changed === number, changed)
    }
    const [a = '', b = ''] = number.slice(index, index + 2)
    const swapped = number.slice(0, index) + b + a + number.slice(index + 2)
    assert.is(hasValidCheckDigit(swapped), swapped === number, swapped)
  }
  assert.ok(
    hasValidCheckDigit('4000000000009093') === hasValidCheckDigit('4000000000000993'),
    'the Luhn check cannot detect a swap of 0 and 9',
  )
})

test('the card brand depends only on the prefix of the number', () => {
  const table = `visa 4 4111|mastercard 51 55 2221 2229 223 2299 23 26 270 271 2720|amex 34 37
    |discover 6011 644 649 65|diners 300 305 3095 36 38 39|jcb 3528 3529 353 358 3589|unionpay 62 81
    |unknown 50 56 2220 2721 33 35 3527 359 306 3094 31 643 6012 60 63 80 9 1`
  for (const row of table.split('|')) {
    const [brand, ...prefixes] = row.trim().split(' ')
    for (const prefix of prefixes) assert.is(getCardBrand(prefix.padEnd(16, '0')), brand, prefix)
  }
  assert.is(getCardBrand('3 7 8 2-82'), 'amex')
  assert.is(getCardBrand(''), 'unknown')
})

test.run()

import * as dineroCurrencies from 'dinero.js/currencies'
import { currencyHint, formatAmount, isCurrency, minorUnits } from '../../src/domain/currencies.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/currencies')

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const ALL_CODES = [...LETTERS].flatMap((a) =>
  [...LETTERS].flatMap((b) => [...LETTERS].map((c) => `${a}${b}${c}`)),
)
const OURS = ALL_CODES.filter(isCurrency)
const THEIRS = new Map(
  Object.values(dineroCurrencies).map(({ code, base, exponent }) => [
    code.toLowerCase(),
    `${String(base)}^${exponent}`,
  ]),
)

/** Codes that dinero.js lists and we refuse. */
const REFUSED: Readonly<Record<string, string>> = {
  bgn: 'ISO 4217 amendment 180: Bulgaria pays in euro since 1 January 2026, the lev is historic',
  bov: 'a fund code: Bolivian Mvdol',
  che: 'a fund code: WIR euro',
  chw: 'a fund code: WIR franc',
  clf: 'a fund code: Unidad de Fomento',
  cou: 'a fund code: Unidad de Valor Real',
  mxv: 'a fund code: Mexican Unidad de Inversion',
  usn: 'a fund code: US dollar, next day',
  uyi: 'a fund code: Uruguay Peso en Unidades Indexadas',
  uyw: 'an index unit: Unidad Previsional',
  xad: 'a fund code, ISO 4217 amendment 179: Arab Accounting Dinar, which nobody pays with',
}

/** Codes whose decimals dinero.js counts in another way. */
const COUNTED_OTHERWISE: Readonly<Record<string, { theirs: string; reason: string }>> = {
  mga: { theirs: '5^1', reason: 'an ariary has 5 iraimbilanja, but ISO 4217 publishes 2 decimals' },
  mru: { theirs: '5^1', reason: 'an ouguiya has 5 khoums, but ISO 4217 publishes 2 decimals' },
}

test('the codes are those of dinero.js without the named exceptions, and no others', () => {
  const expected = [...THEIRS.keys()].filter((code) => !(code in REFUSED))
  assert.equal(OURS, expected.sort())
  assert.is(OURS.length, 155)
})

test('every refused code is one that dinero.js still lists', () => {
  for (const code of Object.keys(REFUSED)) assert.ok(THEIRS.has(code), code)
})

test('the decimals are those of dinero.js without the named exceptions', () => {
  for (const code of OURS) {
    const expected = COUNTED_OTHERWISE[code]?.theirs ?? `10^${minorUnits(code)}`
    assert.is(THEIRS.get(code), expected, code)
  }
  for (const code of Object.keys(COUNTED_OTHERWISE)) assert.is(minorUnits(code), 2, code)
})

test('16 currencies have no decimals, 7 have three and all others two', () => {
  const having = (digits: number) => OURS.filter((code) => minorUnits(code) === digits).join(' ')
  assert.is(having(0), 'bif clp djf gnf isk jpy kmf krw pyg rwf ugx vnd vuv xaf xof xpf')
  assert.is(having(3), 'bhd iqd jod kwd lyd omr tnd')
  assert.is(having(2).split(' ').length, 155 - 16 - 7)
})

test('metals, test codes, withdrawn codes, other cases and names of object members are no currencies', () => {
  const texts = 'xau xag xdr xts xxx xsu xua ang hrk zwl sll cuc EUR Eur constructor toString __proto__'
  for (const text of [...texts.split(' '), '', ' eur', 'eur ', 'eu', 'euro']) {
    assert.not(isCurrency(text), text)
  }
})

test('asking for the decimals of an unknown code throws', () => {
  assert.throws(() => minorUnits('bgn'), RangeError)
  assert.throws(() => minorUnits('EUR'), RangeError)
})

test('a mistaken code is answered with the one that was meant', () => {
  const meant = `EUR eur|Eur eur|euro eur|Euros eur|€ eur|$ usd|US$ usd|dollar usd|£ gbp|STERLING gbp|¥ jpy|yen jpy
    |RMB cny|zł pln|BGN eur|hrk eur|ANG xcg|zwl zwg|sll sle|KWD kwd`
  for (const row of meant.split('|')) {
    const [given = '', expected] = row.trim().split(' ')
    assert.is(currencyHint(given), expected, given)
    assert.is(currencyHint(` ${given}\n`), expected, `${given} between spaces`)
  }
})

test('every hint is a currency, and a right or an unclear text gets none', () => {
  for (const code of ALL_CODES) {
    const hint = currencyHint(code)
    assert.ok(hint === null || (isCurrency(hint) && !isCurrency(code)), code)
  }
  for (const text of ['eur', '', 'xyz', 'kr', 'xau', 'constructor']) assert.is(currencyHint(text), null, text)
})

test('an amount is written in plain ASCII with the decimals of its currency', () => {
  const table = `1250 eur 12.50 EUR|0 eur 0.00 EUR|5 eur 0.05 EUR|50 eur 0.50 EUR|100 eur 1.00 EUR|1250 jpy 1250 JPY
    |0 jpy 0 JPY|1250 kwd 1.250 KWD|7 kwd 0.007 KWD|999999999999 idr 9999999999.99 IDR|-1250 eur -12.50 EUR
    |-5 usd -0.05 USD|9007199254740991 eur 90071992547409.91 EUR`
  for (const row of table.split('|')) {
    const [amount, currency = '', ...text] = row.trim().split(' ')
    assert.is(formatAmount(Number(amount), currency), text.join(' '))
  }
})

test('an amount that is no safe integer, or of an unknown currency, is not written', () => {
  for (const amount of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
    assert.throws(() => formatAmount(amount, 'eur'), RangeError)
  }
  assert.throws(() => formatAmount(1, 'EUR'), RangeError)
})

test.run()

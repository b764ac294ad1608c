import * as dineroCurrencies from 'dinero.js/currencies'
import {
  formatAmount,
  getCurrencyDecimals,
  isCurrency,
  suggestCurrency,
} from '../../../src/domain/core/currencies.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/core/currencies')

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const ALL_CODES = [...LETTERS].flatMap((a) =>
  [...LETTERS].flatMap((b) => [...LETTERS].map((c) => `${a}${b}${c}`)),
)
const CODES = ALL_CODES.filter(isCurrency)
const DINERO_CODES = new Map(
  Object.values(dineroCurrencies).map(({ code, base, exponent }) => [
    code.toLowerCase(),
    `${String(base)}^${exponent}`,
  ]),
)

/** Codes of dinero.js that paycli rejects. */
const REJECTED: Readonly<Record<string, string>> = {
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
  xad: 'a fund code, ISO 4217 amendment 179: Arab Accounting Dinar, a unit of account only',
}

/** Codes whose decimals differ in dinero.js. */
const DIFFERENT_DECIMALS: Readonly<Record<string, { theirs: string; reason: string }>> = {
  mga: { theirs: '5^1', reason: 'an ariary has 5 iraimbilanja, but ISO 4217 publishes 2 decimals' },
  mru: { theirs: '5^1', reason: 'an ouguiya has 5 khoums, but ISO 4217 publishes 2 decimals' },
}

test('the supported currencies are the codes of dinero.js except the listed exceptions', () => {
  const expected = [...DINERO_CODES.keys()].filter((code) => !(code in REJECTED))
  assert.equal(CODES, expected.sort())
  assert.is(CODES.length, 155)
})

test('every excluded currency code exists in dinero.js', () => {
  for (const code of Object.keys(REJECTED)) assert.ok(DINERO_CODES.has(code), code)
})

test('every currency has as many decimals as in dinero.js except the listed exceptions', () => {
  for (const code of CODES) {
    const expected = DIFFERENT_DECIMALS[code]?.theirs ?? `10^${getCurrencyDecimals(code)}`
    assert.is(DINERO_CODES.get(code), expected, code)
  }
  for (const code of Object.keys(DIFFERENT_DECIMALS)) assert.is(getCurrencyDecimals(code), 2, code)
})

test('16 currencies have no decimals, 7 have three and all others two', () => {
  const having = (digits: number) => CODES.filter((code) => getCurrencyDecimals(code) === digits).join(' ')
  assert.is(having(0), 'bif clp djf gnf isk jpy kmf krw pyg rwf ugx vnd vuv xaf xof xpf')
  assert.is(having(3), 'bhd iqd jod kwd lyd omr tnd')
  assert.is(having(2).split(' ').length, 155 - 16 - 7)
})

test('rejects metals, test codes, withdrawn codes, upper case and names of object members as currencies', () => {
  const texts = 'xau xag xdr xts xxx xsu xua ang hrk zwl sll cuc EUR Eur constructor toString __proto__'
  for (const text of [...texts.split(' '), '', ' eur', 'eur ', 'eu', 'euro']) {
    assert.not(isCurrency(text), text)
  }
})

test('getCurrencyDecimals throws RangeError for an unknown code', () => {
  assert.throws(() => getCurrencyDecimals('bgn'), RangeError)
  assert.throws(() => getCurrencyDecimals('EUR'), RangeError)
})

test('suggests the currency code for other spellings of the code', () => {
  const meant = `EUR eur|Eur eur|euro eur|Euros eur|€ eur|$ usd|US$ usd|dollar usd|£ gbp|STERLING gbp|¥ jpy|yen jpy
    |RMB cny|zł pln|BGN eur|hrk eur|ANG xcg|zwl zwg|sll sle|KWD kwd`
  for (const row of meant.split('|')) {
    const [given = '', expected] = row.trim().split(' ')
    assert.is(suggestCurrency(given), expected, given)
    assert.is(suggestCurrency(` ${given}\n`), expected, `${given} between spaces`)
  }
})

test('returns no suggestion for a valid code or unknown string, and only valid codes otherwise', () => {
  for (const code of ALL_CODES) {
    const suggestion = suggestCurrency(code)
    assert.ok(suggestion === null || (isCurrency(suggestion) && !isCurrency(code)), code)
  }
  for (const text of ['eur', '', 'xyz', 'kr', 'xau', 'constructor'])
    assert.is(suggestCurrency(text), null, text)
})

test('formats an amount in plain ASCII with the decimals of its currency', () => {
  const table = `1250 eur 12.50 EUR|0 eur 0.00 EUR|5 eur 0.05 EUR|50 eur 0.50 EUR|100 eur 1.00 EUR|1250 jpy 1250 JPY
    |0 jpy 0 JPY|1250 kwd 1.250 KWD|7 kwd 0.007 KWD|999999999999 idr 9999999999.99 IDR|-1250 eur -12.50 EUR
    |-5 usd -0.05 USD|9007199254740991 eur 90071992547409.91 EUR`
  for (const row of table.split('|')) {
    const [amount, currency = '', ...text] = row.trim().split(' ')
    assert.is(formatAmount(Number(amount), currency), text.join(' '))
  }
})

test('formatAmount throws for an unsafe integer or an unknown currency', () => {
  for (const amount of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
    assert.throws(() => formatAmount(amount, 'eur'), RangeError)
  }
  assert.throws(() => formatAmount(1, 'EUR'), RangeError)
})

test.run()

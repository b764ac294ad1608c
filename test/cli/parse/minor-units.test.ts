import { findMinorUnitsHint } from '../../../src/cli/parse/minor-units.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/minor-units')

const USE = 'Amounts are in minor units: for'

const omit = (separator: string) =>
  `Omit the '${separator}', and use minor units: for 1250.00 EUR use --amount 125000. For 12.50 EUR use --amount 1250.`

const HINTS: readonly (readonly [text: string, currency: string | undefined, hint: string | undefined])[] = [
  ['5.00', 'eur', `${USE} 5.00 EUR use --amount 500.`],
  ['5,5', 'EUR', `${USE} 5.5 EUR use --amount 550.`],
  ['5.00', undefined, `${USE} 5.00 use --amount 500.`],
  ['5.00', 'nope', `${USE} 5.00 use --amount 500.`],
  ['5.00', 'jpy', `${USE} 5.00 JPY use --amount 5.`],
  ['5.123', 'kwd', `${USE} 5.123 KWD use --amount 5123.`],
  ['€5', undefined, `${USE} 5 EUR use --amount 500.`],
  ['5 usd', undefined, `${USE} 5 USD use --amount 500.`],
  ['-0.50', 'eur', `${USE} -0.50 EUR use --amount -50.`],
  ['5.50', 'jpy', 'An amount in JPY has at most 0 decimals: use --amount 5.'],
  ['1.2345', 'eur', 'An amount in EUR has at most 2 decimals: use --amount 123.'],
  ['1,250', 'eur', omit(',')],
  ["1'250", 'jpy', `${USE} 1250 JPY use --amount 1250.`],
  ['1 250', 'eur', omit(' ')],
  ['1.250.000,5', 'eur', `${USE} 1250000.5 EUR use --amount 125000050.`],
  ['€1.250,00', undefined, `${USE} 1250.00 EUR use --amount 125000.`],
  ['1,2,3', 'eur', undefined],
  ['1.000', 'kwd', `${USE} 1.000 KWD use --amount 1000.`],
  ['99999999999999999999.5', 'eur', undefined],
  ['5', 'eur', undefined],
  ['1e3', 'eur', undefined],
  ['', 'eur', undefined],
]

for (const [text, currency, hint] of HINTS) {
  test(`returns ${JSON.stringify(hint)} for '${text}' in ${currency}`, () => {
    assert.is(findMinorUnitsHint(text, '--amount ', currency), hint)
  })
}

test.run()

import { listMaxAmountErrors, toTaxableLine } from '../../../src/domain/sessions/item-amounts.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/sessions/item-amounts')

test('an item without a quantity has the quantity 1', () => {
  assert.equal(toTaxableLine({ price_data: { amount: 1500 } }), { amount: 1500, tax_percent: 0 })
})

test('the amount of an item is its unit price times its quantity', () => {
  const price_data = { amount: 1500, tax_percent: 19 }
  assert.equal(toTaxableLine({ quantity: 3, price_data }), { amount: 4500, tax_percent: 19 })
  assert.equal(toTaxableLine({ quantity: 0, price_data }), { amount: 0, tax_percent: 19 })
})

/** The amount of the largest payment. */
const MAX = 39_999_999_999_960

/** Columns: items as [quantity, amount, tax_percent], the parameter of the error or null. */
const TOTALS: readonly (readonly [items: (readonly [number, number, number])[], param: string | null])[] = [
  [[], null],
  [[[40, 999_999_999_999, 0]], null],
  [[[41, 999_999_999_999, 0]], 'items[0][quantity]'],
  [[[999_999, 999_999_999_999, 100]], 'items[0][quantity]'],
  [[[20, 999_999_999_999, 100]], null],
  [
    [
      [20, 999_999_999_999, 100],
      [1, 1, 0],
    ],
    'items',
  ],
  [
    [
      [0, 999_999_999_999, 100],
      [41, 999_999_999_999, 0],
    ],
    'items[1][quantity]',
  ],
  [[[1, MAX, 0]], null],
  [[[1, MAX, 0.0001]], 'items[0][quantity]'],
]

for (const [items, param] of TOTALS) {
  test(`reports ${param ?? 'no error'} for items of ${JSON.stringify(items)}`, () => {
    const errors = listMaxAmountErrors(
      items.map(([quantity, amount, tax_percent]) => ({ quantity, price_data: { amount, tax_percent } })),
      'items',
    )
    assert.equal(
      errors.map((error) => [error.code, error.param]),
      param === null ? [] : [['amount_too_large', param]],
    )
  })
}

test('skips items that are already invalid', () => {
  const price_data = { amount: MAX, tax_percent: 0 }
  const invalid = [
    null,
    {},
    { price_data: null },
    { quantity: null, price_data },
    { quantity: 1.5, price_data },
  ]
  assert.equal(listMaxAmountErrors([...invalid, { quantity: 1, price_data }], 'items'), [])
})

test.run()

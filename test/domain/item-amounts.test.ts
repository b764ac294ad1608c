import { quantityOf, taxedLineOf, validateItemTotals } from '../../src/domain/item-amounts.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/item-amounts')

test('an item without a quantity is one unit', () => {
  assert.is(quantityOf({}), 1)
  assert.is(quantityOf({ quantity: 0 }), 0)
  assert.equal(taxedLineOf({ price_data: { amount: 1500 } }), { amount: 1500, tax_percent: 0 })
})

test('the amount of an item is its unit price times its quantity', () => {
  const price_data = { amount: 1500, tax_percent: 19 }
  assert.equal(taxedLineOf({ quantity: 3, price_data }), { amount: 4500, tax_percent: 19 })
  assert.equal(taxedLineOf({ quantity: 0, price_data }), { amount: 0, tax_percent: 19 })
})

const MAX = Number.MAX_SAFE_INTEGER
const HALF = (MAX - 1) / 2

/** items as [quantity, amount, tax_percent], the parameter of the error or null */
const TOTALS: readonly (readonly [items: (readonly [number, number, number])[], param: string | null])[] = [
  [[], null],
  [[[999_999, 9_007_199_254, 0]], null],
  [[[999_999, 9_007_208_262, 0]], 'items[0][quantity]'],
  [[[1, MAX, 0]], null],
  [[[1, HALF, 100]], null],
  [[[1, HALF + 1, 100]], 'items[0][quantity]'],
  [
    [
      [0, 999_999_999_999, 100],
      [999_999, 999_999_999_999, 0],
    ],
    'items[1][quantity]',
  ],
  [
    [
      [1, HALF, 0],
      [1, HALF, 0],
    ],
    null,
  ],
  [
    [
      [1, HALF, 0],
      [1, HALF, 0],
      [1, 2, 0],
    ],
    'items',
  ],
]

for (const [items, param] of TOTALS) {
  test(`reports ${param ?? 'no error'} for items of ${JSON.stringify(items)}`, () => {
    const errors = validateItemTotals(
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
  assert.equal(validateItemTotals([...invalid, { quantity: 1, price_data }], 'items'), [])
})

test.run()

import { parseItemChange } from '../../../src/cli/sessions/item-change-flag.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'

const test = suite('cli/item-change-flag')

const VALID: readonly (readonly [text: string, item: object])[] = [
  ['si_1:quantity=3', { id: 'si_1', quantity: 3 }],
  ['si_1:amount=2000', { id: 'si_1', price_data: { amount: 2000 } }],
  [
    'si_1:quantity=0:amount=0:tax_percent=7.25',
    { id: 'si_1', quantity: 0, price_data: { amount: 0, tax_percent: 7.25 } },
  ],
  ['si_1:description=Flat 3\\: rent:type=rent', { id: 'si_1', description: 'Flat 3: rent', type: 'rent' }],
  ['si_1:deleted', { id: 'si_1', deleted: true }],
  ['Support:900:19', { description: 'Support', price_data: { amount: 900, tax_percent: 19 } }],
  ['si:900', { description: 'si', price_data: { amount: 900 } }],
]

for (const [text, item] of VALID) {
  test(`parses the change ${JSON.stringify(text)}`, () => assert.equal(parseItemChange(text), item))
}

const INVALID: readonly (readonly [text: string, hint: RegExp])[] = [
  ['si_1', /the changes, such as --item/],
  ['si_1:', /or write deleted/],
  ['si_1:2000', /quantity, amount, tax_percent/],
  ['si_1:price=2000', /quantity, amount, tax_percent/],
  ['si_1:deleted:quantity=3', /or write deleted/],
  ['si_1:quantity=', /such as quantity=3/],
  ['si_1:quantity=1.5', /such as quantity=3/],
  ['si_1:quantity=-1', /such as quantity=3/],
  ['si_1:amount=12.50', /minor units/],
  ['si_1:tax_percent=20%', /such as tax_percent=3/],
  ['Support', /description:amount/],
]

for (const [text, hint] of INVALID) {
  test(`throws a usage error for the change ${JSON.stringify(text)}`, () => {
    const error = usageErrorFrom(() => parseItemChange(text))
    assert.match(error.hint ?? '', hint)
    assert.is(error.param, 'item')
  })
}

test.run()

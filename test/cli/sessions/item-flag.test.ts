import { parseItem } from '../../../src/cli/sessions/item-flag.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'

const test = suite('cli/item-flag')

const VALID: readonly (readonly [text: string, item: object])[] = [
  ['Rent:100000', { description: 'Rent', price_data: { amount: 100000 } }],
  ['Rent:100000:20', { description: 'Rent', price_data: { amount: 100000, tax_percent: 20 } }],
  ['Rent:0:7.25:rent', { description: 'Rent', type: 'rent', price_data: { amount: 0, tax_percent: 7.25 } }],
  ['Rent:1::rent', { description: 'Rent', type: 'rent', price_data: { amount: 1 } }],
  ['Rent:1:', { description: 'Rent', price_data: { amount: 1 } }],
  ['Rent:1:0:', { description: 'Rent', price_data: { amount: 1, tax_percent: 0 } }],
  ['Seat:1500:::3', { description: 'Seat', quantity: 3, price_data: { amount: 1500 } }],
  [
    'Seat:1500:19:seat:0',
    { description: 'Seat', type: 'seat', quantity: 0, price_data: { amount: 1500, tax_percent: 19 } },
  ],
  ['Rent:1::rent:', { description: 'Rent', type: 'rent', price_data: { amount: 1 } }],
  [':1', { price_data: { amount: 1 } }],
  ['Flat 3\\: rent:1', { description: 'Flat 3: rent', price_data: { amount: 1 } }],
  ['C\\:\\\\temp\\\\:1', { description: 'C:\\temp\\', price_data: { amount: 1 } }],
  ['50\\50:1', { description: '50\\50', price_data: { amount: 1 } }],
  ['Two\nlines 🏠:1', { description: 'Two\nlines 🏠', price_data: { amount: 1 } }],
]

for (const [text, item] of VALID) {
  test(`parses the item ${JSON.stringify(text)} as ${JSON.stringify(item)}`, () =>
    assert.equal(parseItem(text), item))
}

const INVALID: readonly (readonly [text: string, message: RegExp, hint: RegExp])[] = [
  ['', /amount is missing/, /description:amount/],
  ['Rent', /amount is missing/, /--item 'Monthly rent:100000:20:rent'/],
  ['Rent:', /the amount ''/, /description:amount/],
  ['Rent:12.50', /the amount '12\.50'/, /for 12\.50 use 1250\./],
  ['Rent:12,50', /the amount '12,50'/, /minor units/],
  ['Rent:-1', /the amount '-1'/, /description:amount/],
  ['Rent:1e3', /the amount '1e3'/, /description:amount/],
  ['Rent:99999999999999999999', /not an integer/, /description:amount/],
  ['Rent: flat 3:1000', /the amount ' flat 3'/, /as \\:/],
  ['Rent:1:20%', /the tax '20%'/, /without a percent sign/],
  ['Rent:1:-5', /the tax '-5'/, /Write 20 or 5\.5/],
  ['Rent:1:20:rent:many', /the quantity 'many' is not an integer/, /such as 3/],
  ['Rent:1:20:rent:-1', /the quantity '-1'/, /such as 3/],
  ['Rent:1:20:rent:1.5', /the quantity '1\.5'/, /such as 3/],
  ['Rent:1:20:rent:1:more', /too many parts/, /as \\:/],
]

for (const [text, message, hint] of INVALID) {
  test(`throws a usage error for the item ${JSON.stringify(text)}`, () => {
    const error = usageErrorFrom(() => parseItem(text))
    assert.match(error.message, message)
    assert.match(error.hint ?? '', hint)
    assert.is(error.param, 'item')
  })
}

test.run()

import { maskWholeCardNumbers } from '../../../src/domain/cards/whole-card-number.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/cards/whole-card-number')

const MASKED = [
  ['4242424242424242', '[card number ending in 4242]'],
  ['order-4242 4242 4242 4242', 'order-[card number ending in 4242]'],
  ['a:4242-4242-4242-4242:b', 'a:[card number ending in 4242]:b'],
  ['378282246310005/1', '[card number ending in 0005]/1'],
] as const

for (const [text, masked] of MASKED) {
  test(`masks the card number in '${text}'`, () => assert.is(maskWholeCardNumbers(text), masked))
}

const ORDINARY = [
  'customer/482913/2026-11-22/5',
  'refund-48211-53007-2500',
  '42424242424242421',
  'c4:2421:4242',
]

for (const text of ORDINARY) {
  test(`returns '${text}' unchanged, because it is not a card number`, () =>
    assert.is(maskWholeCardNumbers(text), text))
}

test.run()

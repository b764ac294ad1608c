import { maskCardNumbers } from '../../src/domain/card-checks.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/card-checks masking')

/** text, what is left of it */
const TABLE: readonly (readonly [text: string, masked: string])[] = [
  ["email '4242424242424242' is", "email '[card number ending in 4242]' is"],
  ['4242 4242 4242 4242', '[card number ending in 4242]'],
  ['5555-5555-5555-4444.', '[card number ending in 4444].'],
  ['378282246310005', '[card number ending in 0005]'],
  ['6205500000000000004', '[card number ending in 0004]'],
  ['4242424242424241 is mistyped', '[card number ending in 4241] is mistyped'],
  ['4242424242424242, 5555555555554444', '[card number ending in 4242], [card number ending in 4444]'],
  ['https://a/4242424242424242?b', 'https://a/[card number ending in 4242]?b'],
  ['/v1/4242%204242%2D4242%2d4242', '/v1/[card number ending in 4242]'],
  ['5%20555555555554444', '[card number ending in 4444]'],
  ['', ''],
  ['start_date 1704067200000 looks like milliseconds', 'start_date 1704067200000 looks like milliseconds'],
  ['from 1 to 999999999999', 'from 1 to 999999999999'],
  ['to 9007199254740991', 'to 9007199254740991'],
  ['cus_4242424242424242', 'cus_4242424242424242'],
  ['424242424242', '424242424242'],
  ['42424242424242424242', '42424242424242424242'],
]

for (const [text, masked] of TABLE) {
  test(`${text || 'no text'} ${text === masked ? 'stays' : 'is masked'}`, () => {
    assert.is(maskCardNumbers(text), masked)
  })
}

test('a refusal masks its message, its param and every problem', () => {
  const number = '4242424242424242'
  const { message, details } = new Refusal('parameter_unknown', `Unknown: ${number}.`, {
    param: number,
    errors: [{ code: 'parameter_unknown', message: `Unknown: ${number}.`, param: number }],
  })
  assert.not.match(`${message} ${JSON.stringify(details)}`, /42424242/)
})

test('a refusal without details has none', () => {
  assert.equal(new Refusal('invalid_json', 'No.').details, {})
})

test.run()

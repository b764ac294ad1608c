import fc from 'fast-check'
import {
  formerAnswer,
  isForgotten,
  type KeyedRequest,
  readIdempotencyKey,
  type StoredAnswer,
  useKey,
} from '../../src/domain/idempotency.ts'
import { TEST_CARDS } from '../../src/domain/test-cards.ts'
import { runs } from '../support/property.ts'
import { refusal } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/idempotency')

/** A card number in the groups in which it stands on a card. */
function grouped(number: string, separator: string): string {
  const lengths = { 14: [4, 6, 4], 15: [4, 6, 5] }[number.length] ?? [4, 4, 4, 4, number.length - 16]
  let start = 0
  const groups = lengths.map((length) => {
    start += length
    return number.slice(start - length, start)
  })
  return groups.filter((group) => group !== '').join(separator)
}

const READ: readonly (readonly [header: string, key: string])[] = [
  ['a', 'a'],
  ['8e03978e-40d5-43dd-bc93-6894a57f9324', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
  ['"8e03978e-40d5"', '8e03978e-40d5'],
  ['"a b"', 'a b'],
  ['a b', 'a b'],
  ['"a\\"b\\\\c"', 'a"b\\c'],
  ['"', '"'],
  ['a"b', 'a"b'],
  ['"a"b"', '"a"b"'],
  ['~', '~'],
  ['x'.repeat(255), 'x'.repeat(255)],
  [`"${'x'.repeat(255)}"`, 'x'.repeat(255)],
]

for (const [header, key] of READ) {
  test(`the header ${header.slice(0, 40)} is the key ${key.slice(0, 40)}`, () => {
    assert.is(readIdempotencyKey(header), key)
  })
}

for (const header of ['', '""', 'x'.repeat(256), 'é', 'a\tb', '\u007f', '💩']) {
  test(`${JSON.stringify(header.slice(0, 10))} of ${header.length} characters is no key`, async () => {
    const { code, message } = await refusal(() => readIdempotencyKey(header))
    assert.is(code, 'idempotency_key_invalid')
    assert.match(message, /1 to 255 printable ASCII characters/)
  })
}

test('refuses every test card as a key, bare and in the groups of a card', async () => {
  for (const { number } of TEST_CARDS) {
    for (const key of [number, ...[' ', '-', '.'].map((separator) => grouped(number, separator))]) {
      const { code, message } = await refusal(() => readIdempotencyKey(key))
      assert.is(code, 'idempotency_key_invalid', key)
      assert.match(message, 'it is a card number')
      assert.not.match(message, /\d{4}/)
    }
  }
})

for (const number of ['4222222222222', '4000000000000000006', '30569309025904', '378282246310005']) {
  test(`refuses the key ${number}, which has a length of its network`, async () => {
    assert.is((await refusal(() => readIdempotencyKey(number))).code, 'idempotency_key_invalid')
  })
}

/** Each is masked like a card number, or has its digits, but is not one as it stands on a card. */
const ORDINARY = [
  'order-4242424242424242',
  '42424242-4242-4242-8242-42424242424a',
  '4242 4242-4242 4242',
  '42 42 42 42 42 42 42 42',
  '5555555555557',
  '4242424242424',
  '9999999999999995',
]

for (const key of ORDINARY) {
  test(`takes the key ${key}`, () => {
    assert.is(readIdempotencyKey(key), key)
  })
}

const digits = (length: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
    .map((all) => all.join(''))
const date = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2039-12-31'), noInvalidDate: true })
  .map((moment) => moment.toISOString().slice(0, 10))

/** The forms of keys that merchants make. */
const KEYS: readonly (readonly [form: string, keys: fc.Arbitrary<string>])[] = [
  [
    'customer, date and count',
    fc.tuple(digits(6), date, digits(1)).map((all) => `customer/${all.join('/')}`),
  ],
  ['number, date and count', fc.tuple(digits(6), date, digits(2)).map((all) => all.join('-'))],
  ['prefixed number', digits(16).map((number) => `order_${number}`)],
  ['order number of 13 digits', digits(12).map((number) => `5${number}`)],
  ['time in nanoseconds', digits(18).map((number) => `1${number}`)],
  ['UUID', fc.uuid()],
]

for (const [form, keys] of KEYS) {
  test(`takes every key of the form: ${form}`, () => {
    fc.assert(
      fc.property(keys, (key) => assert.is(readIdempotencyKey(key), key)),
      runs(1000),
    )
  })
}

const DAY = 86_400
const FIRST: KeyedRequest = { id: 'idem_1', fingerprint: 'f1', used_at: 1_700_000_000 }
const ANSWER: StoredAnswer = { status: 200, body: '{}', is_sealed: false, request: 'req_1' }

function again(seconds: number, fingerprint = 'f1'): KeyedRequest {
  return { ...FIRST, fingerprint, used_at: FIRST.used_at + seconds }
}

test('a new key has no answer, a used one has its own', () => {
  assert.is(formerAnswer(null, FIRST), null)
  assert.equal(formerAnswer(useKey(FIRST, ANSWER), again(0)), ANSWER)
})

test('an answer is kept for 24 hours from the first use, and then the key is new', () => {
  const used = useKey(FIRST, ANSWER)
  assert.equal(formerAnswer(used, again(DAY - 1)), ANSWER)
  assert.is(formerAnswer(used, again(DAY)), null)
  assert.is(formerAnswer(used, again(DAY, 'f2')), null)
  assert.equal(
    [isForgotten(used, FIRST.used_at + DAY - 1), isForgotten(used, FIRST.used_at + DAY)],
    [false, true],
  )
})

test('a key of another request is refused, also while the first one is at work', async () => {
  for (const answer of [ANSWER, null]) {
    const refused = await refusal(() => formerAnswer(useKey(FIRST, answer), again(1, 'f2')))
    assert.is(refused.code, 'idempotency_key_reused')
  }
})

test('a key at work asks to come back in a second, however long it takes', async () => {
  const used = useKey(FIRST, null)
  for (const seconds of [0, DAY, 365 * DAY]) {
    const { code, details } = await refusal(() => formerAnswer(used, again(seconds)))
    assert.equal([code, details.retryAfterSeconds], ['idempotency_key_in_use', 1])
    assert.not(isForgotten(used, FIRST.used_at + seconds))
  }
})

test.run()

import fc from 'fast-check'
import { TEST_CARDS } from '../../../src/domain/cards/test-cards.ts'
import {
  createIdempotencyKey,
  findReplayResponse,
  type IdempotentRequest,
  isIdempotencyKeyExpired,
  parseIdempotencyKey,
  type StoredResponse,
} from '../../../src/domain/requests/idempotency.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import { runCount } from '../../support/property.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/requests/idempotency')

/** Returns a card number in groups of digits, as printed on a card. */
function grouped(number: string, separator: string): string {
  const lengths = { 14: [4, 6, 4], 15: [4, 6, 5] }[number.length] ?? [4, 4, 4, 4, number.length - 16]
  let start = 0
  const groups = lengths.map((length) => {
    start += length
    return number.slice(start - length, start)
  })
  return groups.filter((group) => group !== '').join(separator)
}

const HEADERS: readonly (readonly [header: string, key: string])[] = [
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

for (const [header, key] of HEADERS) {
  test(`parses the header ${header.slice(0, 40)} as key ${key.slice(0, 40)}`, () => {
    assert.is(parseIdempotencyKey(header), key)
  })
}

for (const header of ['', '""', 'x'.repeat(256), 'é', 'a\tb', '\u007f', '💩']) {
  test(`rejects a key of ${header.length} characters that starts with ${JSON.stringify(header.slice(0, 10))}`, async () => {
    const { code, message } = await catchDomainError(() => parseIdempotencyKey(header))
    assert.is(code, 'idempotency_key_invalid')
    assert.match(message, /1 to 255 printable ASCII characters/)
  })
}

test('rejects every test card number as a key, with and without separators between digit groups', async () => {
  for (const { number } of TEST_CARDS) {
    for (const key of [number, ...[' ', '-', '.'].map((separator) => grouped(number, separator))]) {
      const { code, message } = await catchDomainError(() => parseIdempotencyKey(key))
      assert.is(code, 'idempotency_key_invalid', key)
      assert.match(message, 'it is a card number')
      assert.not.match(message, /\d{4}/)
    }
  }
})

for (const number of ['4222222222222', '4000000000000000006', '30569309025904', '378282246310005']) {
  test(`rejects the key ${number}, a card number of a length that its network allows`, async () => {
    assert.is((await catchDomainError(() => parseIdempotencyKey(number))).code, 'idempotency_key_invalid')
  })
}

/** Keys that resemble card numbers, but are not written like a card number. */
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
  test(`accepts the key ${key}, which is not written like a card number`, () => {
    assert.is(parseIdempotencyKey(key), key)
  })
}

const digits = (length: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
    .map((all) => all.join(''))
const date = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2039-12-31'), noInvalidDate: true })
  .map((day) => day.toISOString().slice(0, 10))

/** Common forms of keys. */
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
  test(`accepts every key made of: ${form}`, () => {
    fc.assert(
      fc.property(keys, (key) => assert.is(parseIdempotencyKey(key), key)),
      runCount(1000),
    )
  })
}

const DAY = 86_400
const FIRST: IdempotentRequest = { id: 'idem_1', fingerprint: 'f1', used_at: 1_700_000_000 }
const RESPONSE: StoredResponse = { status: 200, body: '{}', is_sealed: false, request: 'req_1' }

function repeatAfter(seconds: number, fingerprint = 'f1'): IdempotentRequest {
  return { ...FIRST, fingerprint, used_at: FIRST.used_at + seconds }
}

test('returns null for a new key and the response of a used key', () => {
  assert.is(findReplayResponse(null, FIRST), null)
  assert.equal(findReplayResponse(createIdempotencyKey(FIRST, RESPONSE), repeatAfter(0)), RESPONSE)
})

test('replays the response for 24 hours after the first use', () => {
  const used = createIdempotencyKey(FIRST, RESPONSE)
  assert.equal(findReplayResponse(used, repeatAfter(DAY - 1)), RESPONSE)
  assert.is(findReplayResponse(used, repeatAfter(DAY)), null)
  assert.is(findReplayResponse(used, repeatAfter(DAY, 'f2')), null)
  assert.equal(
    [
      isIdempotencyKeyExpired(used, FIRST.used_at + DAY - 1),
      isIdempotencyKeyExpired(used, FIRST.used_at + DAY),
    ],
    [false, true],
  )
})

test('rejects a key that was used for another request, even while that request is running', async () => {
  for (const answer of [RESPONSE, null]) {
    const refused = await catchDomainError(() =>
      findReplayResponse(createIdempotencyKey(FIRST, answer), repeatAfter(1, 'f2')),
    )
    assert.is(refused.code, 'idempotency_key_reused')
  }
})

test('throws idempotency_key_in_use with a retry delay of one second while the request is running', async () => {
  const used = createIdempotencyKey(FIRST, null)
  for (const seconds of [0, DAY, 365 * DAY]) {
    const { code, details } = await catchDomainError(() => findReplayResponse(used, repeatAfter(seconds)))
    assert.equal([code, details.retryAfterSeconds], ['idempotency_key_in_use', 1])
    assert.not(isIdempotencyKeyExpired(used, FIRST.used_at + seconds))
  }
})

test.run()

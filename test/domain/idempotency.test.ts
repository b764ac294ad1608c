import {
  formerAnswer,
  isForgotten,
  type KeyedRequest,
  readIdempotencyKey,
  type StoredAnswer,
  useKey,
} from '../../src/domain/idempotency.ts'
import { refusal } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/idempotency')

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

for (const key of ['4242424242424242', 'order-4242 4242 4242 4242', 'x4000%2000000000%200002y']) {
  test(`refuses the key ${key}, which contains a card number`, async () => {
    const { code, message } = await refusal(() => readIdempotencyKey(key))
    assert.is(code, 'idempotency_key_invalid')
    assert.not.match(message, /4242|0002/)
  })
}

test('takes a UUID for no card number, whatever its digits are', () => {
  const key = '42424242-4242-4242-8242-42424242424a'
  assert.is(readIdempotencyKey(key), key)
})

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

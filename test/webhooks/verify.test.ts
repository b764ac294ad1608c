import { createSignatureHeaders } from '../../src/webhooks/sign.ts'
import { findSignatureProblems } from '../../src/webhooks/verify.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('webhooks/verify')

const SECRET = `whsec_${'A'.repeat(32)}`
const OTHER = `whsec_${'B'.repeat(32)}`
const NOW = 1_790_000_000
const BODY = '{"name":"Zoë 🧾\u2028"}'

const headersOf = (secrets: readonly string[], body: string | Uint8Array = BODY, timestamp = NOW) =>
  Object.fromEntries(
    Object.entries(createSignatureHeaders({ id: 'evt_1', secrets, body, timestamp })).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]),
  )

const right = headersOf([SECRET])
const { 'paycli-signature': own = '', ...standard } = right

const problems = (headers: Record<string, string>, { body = BODY, now = NOW } = {}) =>
  findSignatureProblems({ headers, body }, { secret: SECRET, now, tolerance: 300 })

test('accepts a delivery signed with either scheme or both, even if only one of several signatures is valid', () => {
  for (const headers of [right, standard, { 'paycli-signature': own }, headersOf([OTHER, SECRET])]) {
    assert.equal(problems(headers), [])
  }
})

const WRONG: readonly (readonly [what: string, found: readonly string[], says: RegExp])[] = [
  ['no signature', problems({ 'content-type': 'a' }), /The signature is missing/],
  [
    'another secret',
    problems(headersOf([OTHER])),
    /webhook-signature does not match.*Paycli-Signature does not match/,
  ],
  ['another body', problems(right, { body: `${BODY} ` }), /does not match/],
  ['another id', problems({ ...standard, 'webhook-id': 'evt_2' }), /the id or the timestamp differs/],
  [
    'no webhook-id',
    problems({ ...standard, 'webhook-id': '' }),
    /webhook-id or webhook-timestamp is missing/,
  ],
  [
    'another timestamp',
    problems({ ...standard, 'webhook-timestamp': String(NOW + 1) }),
    /the id or the timestamp differs/,
  ],
  ['a malformed signature', problems({ ...standard, 'webhook-signature': 'yes' }), /does not match/],
  [
    'no timestamp in Paycli-Signature',
    problems({ 'paycli-signature': own.replace(/^t=\d+,/, '') }),
    /has no timestamp/,
  ],
  ['an old signature', problems(right, { now: NOW + 301 }), /signed 301 s ago; the tolerance is 300 s/],
  ['a signature from the future', problems(standard, { now: NOW - 301 }), /signed 301 s in the future/],
]

for (const [what, found, says] of WRONG) {
  test(`reports the problem of a delivery with ${what}`, () => assert.match(found.join(' '), says))
}

test('accepts a timestamp that differs by exactly five minutes', () => {
  assert.equal(problems(right, { now: NOW + 300 }), [])
  assert.equal(problems(right, { now: NOW - 300 }), [])
})

test('distinguishes bytes that are not UTF-8 from their replacement characters', () => {
  const body = Buffer.from('{"name":"J\xFCrgen"}', 'latin1')
  const headers = headersOf([SECRET], body)
  const options = { secret: SECRET, now: NOW, tolerance: 300 }
  assert.equal(findSignatureProblems({ headers, body }, options), [])
  assert.is(findSignatureProblems({ headers, body: body.toString('utf8') }, options).length, 2)
})

test.run()

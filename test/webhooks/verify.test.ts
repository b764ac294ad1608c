import { signatureHeaders } from '../../src/webhooks/sign.ts'
import { signatureProblems } from '../../src/webhooks/verify.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('webhooks/verify')

const SECRET = `whsec_${'A'.repeat(32)}`
const OTHER = `whsec_${'B'.repeat(32)}`
const NOW = 1_790_000_000
const BODY = '{"name":"Zoë 🧾\u2028"}'

const headersOf = (secrets: readonly string[], body = BODY, timestamp = NOW) =>
  Object.fromEntries(
    Object.entries(signatureHeaders({ id: 'evt_1', secrets, body, timestamp })).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]),
  )

const right = headersOf([SECRET])
const { 'paycli-signature': own = '', ...standard } = right

const problems = (headers: Record<string, string>, { body = BODY, now = NOW } = {}) =>
  signatureProblems({ headers, body }, { secret: SECRET, now, tolerance: 300 })

test('either family alone, both, and one of several signatures are right', () => {
  for (const headers of [right, standard, { 'paycli-signature': own }, headersOf([OTHER, SECRET])]) {
    assert.equal(problems(headers), [])
  }
})

const WRONG: readonly (readonly [what: string, found: readonly string[], says: RegExp])[] = [
  ['no signature', problems({ 'content-type': 'a' }), /There is no signature/],
  [
    'another secret',
    problems(headersOf([OTHER])),
    /webhook-signature does not match.*Paycli-Signature does not match/,
  ],
  ['another body', problems(right, { body: `${BODY} ` }), /does not match/],
  ['another id', problems({ ...standard, 'webhook-id': 'evt_2' }), /another id/],
  ['no id', problems({ ...standard, 'webhook-id': '' }), /webhook-id or webhook-timestamp is missing/],
  ['another time', problems({ ...standard, 'webhook-timestamp': String(NOW + 1) }), /another id or time/],
  ['a signature of no form', problems({ ...standard, 'webhook-signature': 'yes' }), /does not match/],
  ['no time', problems({ 'paycli-signature': own.replace(/^t=\d+,/, '') }), /has no time/],
  ['an old one', problems(right, { now: NOW + 301 }), /signed 301 s ago, and 300 s are tolerated/],
  ['one of the future', problems(standard, { now: NOW - 301 }), /signed 301 s ahead/],
]

for (const [what, found, says] of WRONG) {
  test(`${what} is told`, () => assert.match(found.join(' '), says))
}

test('five minutes to the second are tolerated', () => {
  assert.equal(problems(right, { now: NOW + 300 }), [])
  assert.equal(problems(right, { now: NOW - 300 }), [])
})

test.run()

import { createRequestBodyBuffer } from '../../../src/daemon/sandboxes/request-bodies.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('daemon/sandboxes/request-bodies')

const NONE = { query: '', idempotency_key: null, request: null, response: null }

test('stores the bodies of the newest 2,000 requests of all sandboxes', () => {
  const open = createRequestBodyBuffer()
  const [own, other] = [open(), open()]
  for (let n = 0; n <= 2000; n += 1) (n % 2 ? own : other).add(`req_${n}`, { ...NONE, response: String(n) })
  assert.is(other.read('req_0'), null)
  assert.is(own.read('req_1')?.response, '1')
  assert.is(other.read('req_2000')?.response, '2000')
  assert.is(own.read('req_2000'), null)
})

test('stores at most 16 million characters of bodies', () => {
  const bodies = createRequestBodyBuffer()()
  const response = 'x'.repeat(17_000)
  for (let n = 0; n <= 941; n += 1) bodies.add(`req_${n}`, { ...NONE, response })
  assert.is(bodies.read('req_0'), null)
  assert.ok(bodies.read('req_1'))
  bodies.add('req_941', { ...NONE, response })
  assert.ok(bodies.read('req_1'))
})

test('finds the requests of a sandbox with the id of an object in a body and their keys, and searches no other text', () => {
  const open = createRequestBodyBuffer()
  const [own, other] = [open(), open()]
  const id = `cus_${'A'.repeat(24)}`
  own.add('req_1', { ...NONE, request: `{"customer":"${id}"}` })
  own.add('req_2', { ...NONE, idempotency_key: '4242424242424242', response: `{"id":"${id}"}` })
  own.add('req_3', { ...NONE, query: id, request: '4242424242424242' })
  other.add('req_4', { ...NONE, request: id })
  const found = own.find(id).map(({ id: request, idempotency_key: key }) => [request, key])
  assert.equal(found[0], ['req_1', null])
  assert.equal(found[1]?.[0], 'req_2')
  assert.not.match(found[1]?.[1] ?? '', /4242424242424242/, 'the key is masked')
  assert.is(found.length, 2)
  for (const text of ['4242424242424242', '', 'cus_', 'undefined']) assert.equal(own.find(text), [])
})

test('masks keys, card numbers and security codes, also when they are escaped or cut', () => {
  const bodies = createRequestBodyBuffer()()
  const mask = (request: string) => {
    bodies.add('req_1', { ...NONE, request })
    return bodies.read('req_1')?.request ?? ''
  }
  const key = `paysk_test_${'k'.repeat(32)}`
  for (const [text, masked] of [
    ['{"cvc":"123","a":1}', '{"cvc":"…","a":1}'],
    ['{"card":{"\\u0063\\u0076c" : 123}}', '{"card":{"cvc" : "…"}}'],
    ['{"cvc":"12', '{"cvc":"…"'],
    [`{"a":"${key}"}`, '{"a":"paysk_test_…"}'],
    [`{"a":"paysk\\u005ftest_\\u0031${key.slice(11)}"}`, '{"a":"paysk_test_…"}'],
    ['{"a":"\\\\u0041 \\u0022"}', '{"a":"\\\\u0041 \\u0022"}'],
    ['card%5Bcvc%5D=123&cvv=123&a=1', 'card%5Bcvc%5D="…"&cvv="…"&a=1'],
    ["{'cvc': '123', cvc: 123}", `{'cvc': "…", cvc: "…"}`],
  ] as const)
    assert.is(mask(text), masked)
  assert.not.match(mask('{"number":"4242 4242 4242 4242"}'), '4242 4242')
  for (let start = 15_900; start <= 16_050; start += 1)
    assert.not.match(mask(`${'x'.repeat(start)} ${key}`), 'kk', String(start))
  assert.is(mask('x'.repeat(300_000)).length, 16_001)
  const cut = mask(`${'\\u0061'.repeat(2832)}4242424242424242`)
  assert.match(cut, /a…$/)
})

test.run()

import { createRequestLog } from '../../src/domain/request-logs.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/request-logs')

const SEEN: Parameters<typeof createRequestLog>[0] = {
  id: 'req_1',
  created: 1_700_000_000,
  method: 'GET',
  path: '/v1/customers',
  status: 200,
  duration_ms: 3,
  error: null,
  api_key: 'key_1',
  replay_of: null,
}

test('an entry has every field, in its order', () => {
  const log = createRequestLog(SEEN)
  assert.equal(Object.keys(log), [
    ...['id', 'object', 'created', 'livemode', 'method', 'path', 'status', 'duration_ms', 'error', 'api_key'],
    'replay_of',
  ])
  assert.equal(log, { ...SEEN, object: 'request_log', livemode: false })
})

const HIDDEN: readonly (readonly [text: string, shown: string])[] = [
  ['/v1/customers/4242424242424242', '/v1/customers/[card number ending in 4242]'],
  ['/v1/4242%204242%204242%204242', '/v1/[card number ending in 4242]'],
  ['/v1/4242%2D4242%2d4242-4242', '/v1/[card number ending in 4242]'],
  ['/v1/customers/paysk_test_abcDEF123', '/v1/customers/paysk_test_…'],
  ['/v1/payrk_test_x', '/v1/payrk_test_…'],
  ['/v1/sk_live_abc?a', '/v1/sk_live_…?a'],
  ['/v1/whsec_c2VjcmV0+/x=', '/v1/whsec_…'],
  ['/v1/a%20b', '/v1/a%20b'],
  ['/v1/\ud800', '/v1/\ufffd'],
]

for (const [text, shown] of HIDDEN) {
  test(`of ${JSON.stringify(text)} ${JSON.stringify(shown)} is kept`, () => {
    const error = { code: 'resource_missing', message: `No such '${text}'.`, param: text }
    const log = createRequestLog({ ...SEEN, path: text, error })
    assert.is(log.path, shown)
    assert.not.match(JSON.stringify({ ...log.error }), /4242-?4242|abcDEF|c2Vj|live_abc/)
  })
}

test('what a client wrote is cut after 500 characters, and never in the middle of what is hidden', () => {
  const long = createRequestLog({ ...SEEN, path: `/v1/${'x'.repeat(20_000)}` })
  assert.is(long.path, `/v1/${'x'.repeat(496)}…`)
  for (let at = 470; at < 500; at += 1) {
    const { path } = createRequestLog({ ...SEEN, path: `/${'x '.repeat(at / 2)}4242424242424242 y` })
    assert.not.match(path, '42424')
  }
  const error = { code: 'c', message: 'm'.repeat(9000), param: null }
  assert.is(createRequestLog({ ...SEEN, error }).error?.message.length, 501)
})

test.run()

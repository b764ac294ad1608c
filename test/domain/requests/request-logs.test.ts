import { createRequestLog } from '../../../src/domain/requests/request-logs.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/requests/request-logs')

const ENTRY: Parameters<typeof createRequestLog>[0] = {
  id: 'req_1',
  created: 1_700_000_000,
  method: 'GET',
  path: '/v1/customers',
  status: 200,
  duration_ms: 3,
  error: null,
  api_key: 'key_1',
  replay_of: null,
  fault: null,
}

test('a request log has all fields in order', () => {
  const log = createRequestLog(ENTRY)
  assert.equal(Object.keys(log), [
    ...['id', 'object', 'created', 'livemode', 'method', 'path', 'status', 'duration_ms', 'error', 'api_key'],
    'replay_of',
    'fault',
  ])
  assert.equal(log, { ...ENTRY, object: 'request_log', livemode: false })
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
  test(`stores the path ${JSON.stringify(text)} as ${JSON.stringify(shown)}`, () => {
    const error = { code: 'resource_missing', message: `No such '${text}'.`, param: text }
    const log = createRequestLog({ ...ENTRY, path: text, error })
    assert.is(log.path, shown)
    assert.not.match(JSON.stringify({ ...log.error }), /4242-?4242|abcDEF|c2Vj|live_abc/)
  })
}

test('truncates client input after 500 characters, but never inside a masked value', () => {
  const long = createRequestLog({ ...ENTRY, path: `/v1/${'x'.repeat(20_000)}` })
  assert.is(long.path, `/v1/${'x'.repeat(496)}…`)
  for (let at = 470; at < 500; at += 1) {
    const { path } = createRequestLog({ ...ENTRY, path: `/${'x '.repeat(at / 2)}4242424242424242 y` })
    assert.not.match(path, '42424')
  }
  const error = { code: 'c', message: 'm'.repeat(9000), param: null }
  assert.is(createRequestLog({ ...ENTRY, error }).error?.message.length, 501)
})

test.run()

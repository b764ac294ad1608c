import { toConnectionError } from '../../src/client/connection-error.ts'
import { assert, suite } from '../support/suite.ts'

const LOCAL = 'http://127.0.0.1:4100'
const REMOTE = 'https://pay.example.com/sandbox'

const CASES: readonly (readonly [systemCode: string, base: string, code: string, message: RegExp])[] = [
  [
    'ECONNREFUSED',
    LOCAL,
    'connection_refused',
    /^No paycli server at http:\/\/127\.0\.0\.1:4100\. Start one: npx paycli serve, or run your tests with a server: npx paycli exec -- npm test$/,
  ],
  ['ECONNREFUSED', 'http://localhost:1', 'connection_refused', /Start one: npx paycli serve --port 1, or/],
  ['ECONNREFUSED', 'http://[::1]:4100', 'connection_refused', /Start one: npx paycli serve, or/],
  [
    'ECONNREFUSED',
    REMOTE,
    'connection_refused',
    /^No server listens at https:\/\/pay\.example\.com\. Check --api-base/,
  ],
  ['ENOTFOUND', REMOTE, 'host_not_found', /^Host pay\.example\.com was not found\./],
  ['EAI_AGAIN', REMOTE, 'host_not_found', /the network connection\.$/],
  ['EHOSTUNREACH', REMOTE, 'host_unreachable', /cannot be reached/],
  ['ETIMEDOUT', REMOTE, 'host_unreachable', /firewall or VPN/],
  ['ECONNRESET', LOCAL, 'connection_lost', /closed the connection/],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    REMOTE,
    'tls_failed',
    /\(DEPTH_ZERO_SELF_SIGNED_CERT\).*NODE_EXTRA_CA_CERTS\.$/,
  ],
  ['CERT_HAS_EXPIRED', REMOTE, 'tls_failed', /No trusted TLS connection/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', REMOTE, 'tls_failed', /No trusted TLS connection/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', REMOTE, 'tls_failed', /No trusted TLS connection/],
  ['HPE_INVALID_CONSTANT', LOCAL, 'not_paycli', /does not respond with HTTP/],
  ['ESOMETHING', LOCAL, 'connection_lost', /\(ESOMETHING\)/],
]

const failing = suite('connection failures')

for (const [systemCode, base, code, message] of CASES) {
  failing(`turns the system error ${systemCode} at ${base} into ${code}`, () => {
    const error = toConnectionError(systemCode, base)
    assert.is(error.code, code)
    assert.match(error.message, message)
    assert.is(error.url, base)
    assert.ok(error.message.endsWith(error.hint))
  })
}

failing.run()

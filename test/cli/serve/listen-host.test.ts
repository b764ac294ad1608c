import { parseListenHost } from '../../../src/cli/serve/listen-host.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'

const test = suite('cli/listen-host')

const KEY = 'paysk_test_given0000000000000000000000000000'
const LOCAL = { isExposed: false, apiKey: undefined, hasApiUrl: false, hasCheckoutUrl: false }
const EXPOSED = { isExposed: true, apiKey: KEY, hasApiUrl: true, hasCheckoutUrl: true }

for (const [host, address] of [
  ['127.0.0.1', '127.0.0.1'],
  ['localhost', '127.0.0.1'],
  ['127.8.9.10', '127.8.9.10'],
  ['::1', '::1'],
  ['[::1]', '::1'],
] as const) {
  test(`accepts the host ${host} without --dangerously-expose`, () => {
    assert.is(parseListenHost({ host, ...LOCAL }), address)
  })
}

for (const host of [
  '0.0.0.0',
  '::',
  '[::]',
  '::0',
  '0:0:0:0:0:0:0:0',
  '::ffff:0.0.0.0',
  '192.168.1.5',
  'fe80::1',
]) {
  test(`requires --dangerously-expose for the host ${host}`, () => {
    const { param, hint } = usageErrorFrom(() => parseListenHost({ host, ...LOCAL }))
    assert.is(param, 'host')
    assert.match(hint ?? '', '--dangerously-expose')
    assert.is(parseListenHost({ host, ...EXPOSED }), host.replace(/[[\]]/g, ''))
  })
}

for (const host of [
  '',
  '*',
  '0',
  '0x0',
  '127.1',
  '2130706433',
  'staging.example',
  '127.0.0.1:4100',
  'fe80::1%eth0',
]) {
  test(`rejects the host '${host}', which is not a plain IP address`, () => {
    assert.match(
      usageErrorFrom(() => parseListenHost({ host, ...EXPOSED })).message,
      `Invalid --host '${host}': expected an IP address.`,
    )
  })
}

test('requires a strong API key for an exposed server, and does not print it', () => {
  const error = usageErrorFrom(() =>
    parseListenHost({ host: '0.0.0.0', ...EXPOSED, apiKey: 'paysk_test_mine' }),
  )
  assert.is(error.param, 'api-key')
  assert.not.match(error.message, 'paysk_test_mine')
  assert.is(parseListenHost({ host: '0.0.0.0', ...EXPOSED, apiKey: undefined }), '0.0.0.0')
})

for (const [missing, flag] of [
  ['hasApiUrl', 'api-url'],
  ['hasCheckoutUrl', 'checkout-url'],
] as const) {
  test(`requires --${flag} only for a wildcard host address`, () => {
    const flags = { ...EXPOSED, [missing]: false }
    assert.is(usageErrorFrom(() => parseListenHost({ host: '0.0.0.0', ...flags })).param, flag)
    assert.is(usageErrorFrom(() => parseListenHost({ host: '::ffff:0.0.0.0', ...flags })).param, flag)
    assert.is(parseListenHost({ host: '192.168.1.5', ...flags }), '192.168.1.5')
  })
}

test.run()

import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import { parseListenHost } from '../../../src/cli/serve/listen-host.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/listen-host')

const KEY = 'paysk_test_given0000000000000000000000000000'
const ALONE = { isExposed: false, apiKey: undefined, hasApiUrl: false, hasCheckoutUrl: false }
const EXPOSED = { isExposed: true, apiKey: KEY, hasApiUrl: true, hasCheckoutUrl: true }

function refusal(parse: () => unknown): UsageError {
  try {
    parse()
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
  throw new Error('it was not refused')
}

for (const [given, address] of [
  ['127.0.0.1', '127.0.0.1'],
  ['localhost', '127.0.0.1'],
  ['127.8.9.10', '127.8.9.10'],
  ['::1', '::1'],
  ['[::1]', '::1'],
] as const) {
  test(`${given} needs no word of danger`, () => {
    assert.is(parseListenHost({ host: given, ...ALONE }), address)
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
  test(`security 3: ${host} needs --dangerously-expose`, () => {
    const { param, hint } = refusal(() => parseListenHost({ host, ...ALONE }))
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
  test(`security 3: '${host}' is no address, however a system might read it`, () => {
    assert.match(refusal(() => parseListenHost({ host, ...EXPOSED })).message, `'${host}' is no IP address`)
  })
}

test('security 3: an exposed service needs a key nobody guesses, and repeats none', () => {
  const error = refusal(() => parseListenHost({ host: '0.0.0.0', ...EXPOSED, apiKey: 'paysk_test_mine' }))
  assert.is(error.param, 'api-key')
  assert.not.match(error.message, 'paysk_test_mine')
  assert.is(parseListenHost({ host: '0.0.0.0', ...EXPOSED, apiKey: undefined }), '0.0.0.0')
})

for (const [missing, flag] of [
  ['hasApiUrl', 'api-url'],
  ['hasCheckoutUrl', 'checkout-url'],
] as const) {
  test(`a service that listens everywhere must be told its --${flag}, one at an address of its own need not`, () => {
    const flags = { ...EXPOSED, [missing]: false }
    assert.is(refusal(() => parseListenHost({ host: '0.0.0.0', ...flags })).param, flag)
    assert.is(refusal(() => parseListenHost({ host: '::ffff:0.0.0.0', ...flags })).param, flag)
    assert.is(parseListenHost({ host: '192.168.1.5', ...flags }), '192.168.1.5')
  })
}

test.run()

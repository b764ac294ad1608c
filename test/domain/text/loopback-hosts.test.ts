import { isLocalhostName, isLoopbackHost, lookupLoopback } from '../../../src/domain/text/loopback-hosts.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/text/loopback-hosts')

const HOSTS: readonly (readonly [host: string, isName: boolean, isLoopback: boolean])[] = [
  ['localhost', true, true],
  ['LocalHost', true, true],
  ['localhost.', true, true],
  ['tenant.localhost', true, true],
  ['a.b.localhost.', true, true],
  ['127.0.0.1', false, true],
  ['127.1.2.3', false, true],
  ['[::1]', false, true],
  ['::1', false, true],
  ['notlocalhost', false, false],
  ['.localhost', false, false],
  ['localhost.example.com', false, false],
  ['127.0.0.1.example.com', false, false],
  ['10.0.0.1', false, false],
  ['', false, false],
]

for (const [host, isName, isLoopback] of HOSTS) {
  test(`'${host}' is ${isName ? 'a name of localhost' : isLoopback ? 'a loopback address' : 'another host'}`, () => {
    assert.equal([isLocalhostName(host), isLoopbackHost(host)], [isName, isLoopback])
  })
}

test('resolves names of localhost to both loopback addresses with `all`, otherwise to 127.0.0.1', () => {
  const results: unknown[] = []
  const callback = (...args: unknown[]) => void results.push(args)
  lookupLoopback('tenant.localhost', { all: true }, callback)
  lookupLoopback('tenant.localhost', {}, callback)
  const both = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]
  assert.equal(results, [
    [null, both],
    [null, '127.0.0.1', 4],
  ])
})

test.run()

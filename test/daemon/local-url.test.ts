import { isLoopbackAddress, toLocalUrl } from '../../src/daemon/local-url.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('daemon/local-url')

/** Columns: listen address, local URL of port 4100, whether the address is loopback. */
const TABLE: readonly (readonly [host: string, url: string, isLocal: boolean])[] = [
  ['127.0.0.1', 'http://127.0.0.1:4100', true],
  ['127.8.9.10', 'http://127.8.9.10:4100', true],
  ['::1', 'http://[::1]:4100', true],
  ['0:0:0:0:0:0:0:1', 'http://[::1]:4100', true],
  ['0.0.0.0', 'http://127.0.0.1:4100', false],
  ['::', 'http://127.0.0.1:4100', false],
  ['::0', 'http://127.0.0.1:4100', false],
  ['::ffff:0.0.0.0', 'http://127.0.0.1:4100', false],
  ['192.168.1.5', 'http://192.168.1.5:4100', false],
]

for (const [host, url, isLocal] of TABLE) {
  test(`the listen address ${host} has the local URL ${url} and is ${isLocal ? '' : 'not '}a loopback address`, () => {
    assert.is(toLocalUrl(host, 4100), url)
    assert.is(isLoopbackAddress(host), isLocal)
  })
}

test.run()

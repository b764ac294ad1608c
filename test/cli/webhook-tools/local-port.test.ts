import { createServer } from 'node:net'
import { listenLocally } from '../../../src/cli/webhook-tools/local-port.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/local-port')

test('a server gets a port of its own, at the address of this machine alone', async () => {
  const [one, other] = [createServer(), createServer()]
  const ports = [await listenLocally(one), await listenLocally(other)]
  assert.ok(ports.every((port) => port > 0))
  assert.is.not(ports[0], ports[1])
  const address = one.address()
  assert.equal(address, { address: '127.0.0.1', family: 'IPv4', port: ports[0] })
  one.close()
  other.close()
})

test.run()

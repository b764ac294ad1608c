import { createServer } from 'node:http'
import { listenLocally } from '../../../src/cli/webhook-tools/local-server.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/local-server')

test('listens on a free port of 127.0.0.1 only', async () => {
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

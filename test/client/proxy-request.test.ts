import { createServer, type IncomingMessage } from 'node:http'
import { closeServer, listenLocally } from '../../src/cli/webhook-tools/local-server.ts'
import { proxyConcurrentCopies } from '../../src/client/proxy-request.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('client/proxy-request')

/** More bytes than the operating system buffers for a connection that the server does not read. */
const BODY = Buffer.alloc(32 * 1024 * 1024, 'x')

test('sends the last byte of each copy only after the other bytes of all copies', async () => {
  const steps: string[] = []
  const second = Promise.withResolvers<IncomingMessage>()
  let isFirst = true
  const server = createServer((request, response) => {
    if (!isFirst) return second.resolve(request.once('end', () => response.end()))
    isFirst = false
    let bytes = 0
    request.on('data', async (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes === BODY.length) {
        steps.push('complete')
        response.end()
      }
      if (bytes !== BODY.length - 1) return
      steps.push('waits')
      const other = await second.promise
      other.resume()
    })
  })
  const base = `http://127.0.0.1:${await listenLocally(server)}`
  const headers = { 'content-length': String(BODY.length) }
  const forwarded = { method: 'POST', url: '/hook', headers }
  const responses = await proxyConcurrentCopies(base, forwarded, { body: BODY, copies: 2 })
  const statuses = await Promise.all(responses.map(async (response) => (await response).statusCode))
  assert.equal(
    [statuses, steps],
    [
      [200, 200],
      ['waits', 'complete'],
    ],
  )
  await closeServer(server)
})

test.run()

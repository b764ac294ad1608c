import { connect } from 'node:net'
import { sendRequest } from '../../support/raw-http.ts'
import { assert, suite } from '../../support/suite.ts'
import { KEY, serveSandbox } from './serve-sandbox.ts'

const test = suite('daemon/http/koa-app')

test('reports no error when a client resets its connection during a request', async () => {
  const [lookupStarted, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const served = await serveSandbox()
  served.breakStore({
    async get(...asking) {
      lookupStarted.resolve()
      await gate.promise
      return served.sandbox.store.get(...asking)
    },
  })
  const { write } = process.stderr
  let printed = ''
  process.stderr.write = (text) => {
    printed += text
    return true
  }
  const { hostname, port, host } = new URL(served.apiUrl)
  const socket = connect(Number(port), hostname)
  socket.write(`GET /v1/customers HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${KEY}\r\n\r\n`)
  await lookupStarted.promise
  socket.resetAndDestroy()
  assert.is((await sendRequest(`${served.apiUrl}/healthz`)).status, 200)
  gate.resolve()
  assert.is((await sendRequest(`${served.apiUrl}/healthz`)).status, 200)
  process.stderr.write = write
  await served.close()
  assert.is(printed, '')
  assert.not.match(served.lines.join(''), '"level":"error"')
})

test.run()

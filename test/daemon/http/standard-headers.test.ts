import { sendRequest } from '../../support/raw-http.ts'
import { assert, suite } from '../../support/suite.ts'
import { KEY, serveSandbox } from './serve-sandbox.ts'

const test = suite('daemon/http/standard-headers')

/** Responses with a fault are sent by Koa. This fault changes only headers that the test ignores. */
const BY_KOA = { 'Paycli-Fault': 'delay_response; delay_ms=1' }
/** The headers that differ between two equal responses: the fault, the id and the time. */
const OF_ONE_RESPONSE = ['paycli-fault', 'request-id', 'date']

test('a response that is sent without Koa equals the response of Koa', async () => {
  const served = await serveSandbox()
  const created = await served.post('/v1/customers', { email: 'zoë@example.com' })
  const paths = ['/v1/customers', `/v1/customers/${JSON.parse(created.text).id}`]
  for (const method of ['GET', 'HEAD']) {
    for (const path of paths) {
      const send = async (own: Readonly<Record<string, string>>) => {
        const headers = { Authorization: `Bearer ${KEY}`, ...own }
        const response = await sendRequest(`${served.apiUrl}${path}`, { method, headers })
        assert.match(response.headers['request-id'] ?? '', /^req_/)
        const shared = Object.entries(response.headers).filter(([name]) => !OF_ONE_RESPONSE.includes(name))
        return { ...response, headers: shared.sort() }
      }
      assert.equal(await send({}), await send(BY_KOA), `${method} ${path}`)
    }
  }
  await served.close()
})

test.run()

import fc from 'fast-check'
import { api } from '../../../src/api/api.ts'
import { HOSTILE_REQUESTS, type HostileRequest } from '../../support/hostile-requests.ts'
import { runCount } from '../../support/property.ts'
import { sendRawText, sendRequest } from '../../support/raw-http.ts'
import { newCheckout, newPaymentSession } from '../../support/samples.ts'
import { assert, suite } from '../../support/suite.ts'
import { KEY, type ServedSandbox, serveSandbox } from './serve-sandbox.ts'

const USUAL_RUNS = 20
const REQUESTS_AT_ONCE = 10
/** Code and file paths, which no response may contain. */
const INTERNALS = /\bat \S+ \(|\.[jt]s:\d|node_modules|\/work\/|\/home\//

const test = suite('daemon/api-app fuzz', undefined, 600_000)

let served: ServedSandbox
let ids: string[]

test.before(async () => {
  served = await serveSandbox()
  const checkout = await newCheckout(served.sandbox)
  const payment = await newPaymentSession(served.sandbox)
  const done = await served.sandbox.call(api.checkoutSessions.complete, {
    id: checkout.id,
    test_card: 'visa',
  })
  ids = [checkout.id, payment.id, done.customer, 'cus_none']
})

test.after(() => served?.close())

for (const [kind, request] of Object.entries(HOSTILE_REQUESTS)) {
  test(`returns no 5xx status, exposes no internals and continues to respond for hostile ${kind}`, async () => {
    const requests = fc.array(request, { minLength: 1, maxLength: REQUESTS_AT_ONCE })
    await fc.assert(
      fc.asyncProperty(requests, async (made) => void (await Promise.all(made.flatMap(checkBoth)))),
      runCount(USUAL_RUNS),
    )
    assert.is((await sendRequest(`${served.apiUrl}/healthz`)).status, 200)
    assert.not.match(served.lines.join(''), '"level":"error"')
  })
}

function checkBoth(made: HostileRequest): Promise<void>[] {
  return [served.apiUrl, served.pagesUrl].map(async (url) => {
    const response = await sendRawText(url, made({ url, key: KEY, ids }), { isAll: true })
    assert.ok(response.status < 500, `${response.status} ${response.text}\n${served.lines.at(-1)}`)
    assert.not.match(response.text, INTERNALS)
    assert.not.match(response.text, KEY)
  })
}

test.run()

import fc from 'fast-check'
import { api } from '../../src/api/index.ts'
import { HOSTILE_REQUESTS, type HostileRequest } from '../support/hostile-requests.ts'
import { runs } from '../support/property.ts'
import { newCheckout, newPaymentSession } from '../support/samples.ts'
import { assert, suite } from '../support/suite.ts'
import { ask, shout } from '../support/wire.ts'
import { KEY, type Served, serveSandbox } from './served.ts'

const USUAL_RUNS = 20
const REQUESTS_AT_ONCE = 10
/** What no answer may tell: code, files of this machine, the key. */
const INSIDE = /\bat \S+ \(|\.[jt]s:\d|node_modules|\/work\/|\/home\//

const test = suite('daemon/api-app fuzz', undefined, 600_000)

let served: Served
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
  test(`whatever ${kind} are sent, no answer is a bug or tells of the inside, and the service goes on`, async () => {
    const requests = fc.array(request, { minLength: 1, maxLength: REQUESTS_AT_ONCE })
    await fc.assert(
      fc.asyncProperty(requests, async (made) => void (await Promise.all(made.flatMap(checkBoth)))),
      runs(USUAL_RUNS),
    )
    assert.is((await ask(`${served.apiUrl}/healthz`)).status, 200)
    assert.not.match(served.lines.join(''), '"level":"error"')
  })
}

function checkBoth(made: HostileRequest): Promise<void>[] {
  return [served.apiUrl, served.pagesUrl].map(async (url) => {
    const answer = await shout(url, made({ url, key: KEY, ids }), { isAll: true })
    assert.ok(answer.status < 500, `${answer.status} ${answer.text}\n${served.lines.at(-1)}`)
    assert.not.match(answer.text, INSIDE)
    assert.not.match(answer.text, KEY)
  })
}

test.run()

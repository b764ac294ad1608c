import type { WebhookDelivery } from '../../../src/domain/webhook-deliveries.ts'
import { createWebhookEndpoint } from '../../../src/domain/webhook-endpoints.ts'
import { assert, suite } from '../../support/suite.ts'
import { card, Hosted, locationOf, pathOf, tokenIn, VISA } from '../hosted.ts'
import { HOSTILE } from '../hostile.ts'

const test = suite('drawer')

/** Pages that only this machine sees, or not. */
function openPages(isLocal: boolean): Hosted {
  const hosted = new Hosted()
  hosted.pages.isLocal = isLocal
  return hosted
}

/** All that was ever to be delivered, with what an attempt came to. */
async function answerAll(hosted: Hosted, outcome: Partial<WebhookDelivery>): Promise<void> {
  const { store } = hosted.runtime
  const { data } = await store.list('webhook_deliveries', { limit: 100 })
  const writes = data.map((delivery) => ({ put: { ...delivery, next_attempt_at: null, ...outcome } }))
  await store.transact(async () => ({ result: null, writes, events: [] }))
}

function endpoint(hosted: Hosted) {
  const fields = { url: 'http://127.0.0.1:3000/hook?a=1', enabled_events: ['*'] }
  return hosted.create(
    (context) => createWebhookEndpoint(fields, { secret: 'whsec_drawer', existing: 0 }, context).endpoint,
  )
}

test('pages that others may see show nothing of what happens behind them, and take no chosen card', async () => {
  const hosted = openPages(false)
  await endpoint(hosted)
  const path = pathOf(await hosted.payment())
  const { body } = await hosted.serve({ path, query: 'developer' })
  assert.not.match(body, /class="drawer"|payment_session\.created|name="test_card"/)
  assert.is((await hosted.submit(path, { test_card: 'visa' })).status, 422)
})

test('a developer chooses an outcome instead of typing a card', async () => {
  const hosted = openPages(true)
  for (const session of [await hosted.payment(), await hosted.checkout()]) {
    const path = pathOf(session)
    const declined = await hosted.submit(path, { test_card: 'insufficient_funds' })
    assert.is(declined.status, 402)
    assert.match(declined.body, 'insufficient funds')
    assert.match(declined.body, '<details open>')
    const asked = await hosted.post(path, { test_card: 'sca_required', form_token: tokenIn(declined.body) })
    assert.match(locationOf(asked), /^\/3ds\/py_/)
    const paid = await hosted.submit(path, { test_card: 'visa' })
    assert.is(locationOf(paid), `${path}/done`)
  }
})

test('every outcome that is offered is a card, and an unknown one is none', async () => {
  const hosted = openPages(true)
  const path = pathOf(await hosted.payment())
  const { body } = await hosted.get(path)
  const offered = [...body.matchAll(/name="test_card" value="(\w+)"/g)].map(([, alias = '']) => alias)
  assert.is(offered.length, 8)
  for (const alias of offered) {
    const one = pathOf(await hosted.payment())
    const { status, body } = await hosted.submit(one, { test_card: alias })
    assert.ok(status === 303 || (status === 402 && !body.includes('not a test card')), `${alias} ${status}`)
  }
  assert.is((await hosted.submit(path, { test_card: 'constructor' })).status, 422)
})

test('the events of a page are told with what their receivers answered', async () => {
  const hosted = openPages(true)
  await endpoint(hosted)
  const session = await hosted.checkout()
  const path = pathOf(session)
  await hosted.submit(path, card('4000000000000002'))
  const pending = (await hosted.get(path)).body
  for (const words of ['payment.failed', 'payment.created', 'checkout_session.created', 'to be sent']) {
    assert.match(pending, words)
  }
  await answerAll(hosted, { status: 'succeeded', http_status: 200, duration_ms: 23, response_body: 'thanks' })
  const answered = (await hosted.get(path)).body
  assert.match(answered, 'http://127.0.0.1:3000/hook?a=1</bdi> <b>200 in 23 ms</b>')
  assert.match(answered, '<pre dir="auto">thanks</pre>')
  await answerAll(hosted, { status: 'failed', http_status: null, error: 'connection', response_body: null })
  assert.match((await hosted.get(path)).body, 'not delivered: connection')
  await hosted.submit(path, VISA)
  const { body } = await hosted.get(path)
  assert.match(body, 'Already paid')
  for (const type of [
    'checkout_session.completed',
    'subscription.created',
    'invoice.paid',
    'payment_method.attached',
  ]) {
    assert.match(body, type)
  }
  assert.not.match(body, 'test_card')
})

test('a 3-D Secure page tells of its payment', async () => {
  const hosted = openPages(true)
  const asked = await hosted.submit(pathOf(await hosted.payment()), card('4000000000003220'))
  assert.match((await hosted.get(locationOf(asked))).body, 'payment.requires_action')
})

test('without endpoints it says that nobody was told', async () => {
  const hosted = openPages(true)
  assert.match((await hosted.get(pathOf(await hosted.payment()))).body, 'no endpoint was told')
})

test('a long answer of a receiver is cut, and no part of a card number is left', async () => {
  const hosted = openPages(true)
  await endpoint(hosted)
  const path = pathOf(await hosted.payment())
  const response_body = `${'x'.repeat(190)} 4242424242424242 ${'4 '.repeat(5000)}`
  await answerAll(hosted, { status: 'succeeded', http_status: 200, duration_ms: 1, response_body })
  assert.match((await hosted.get(path)).body, `${'x'.repeat(190)} [card num…</pre>`)
})

test('what a receiver answered is only text', async () => {
  const hosted = openPages(true)
  await endpoint(hosted)
  const path = pathOf(await hosted.payment())
  for (const text of HOSTILE) {
    await answerAll(hosted, { status: 'succeeded', http_status: 200, duration_ms: 1, response_body: text })
    const { body } = await hosted.get(path)
    const [, shown = ''] = /<pre dir="auto">([\s\S]*?)<\/pre>/.exec(body) ?? []
    assert.not.match(shown, /[<>"'`\u202e\u2066]/)
  }
})

test.run()

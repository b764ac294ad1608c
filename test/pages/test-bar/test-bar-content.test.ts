import type { WebhookDelivery } from '../../../src/domain/events/webhook-deliveries.ts'
import { createWebhookEndpoint } from '../../../src/domain/events/webhook-endpoints.ts'
import { assert, suite } from '../../support/suite.ts'
import { card, HostedPages, locationOf, pathOf, type ServedPage, tokenIn, VISA } from '../hosted-pages.ts'
import { HOSTILE } from '../hostile.ts'

const test = suite('test-bar-content')

function openPages(isLocal: boolean): HostedPages {
  const hosted = new HostedPages()
  hosted.pages.isLocal = isLocal
  return hosted
}

/** Sets the outcome of all deliveries. */
async function setDeliveryOutcome(hosted: HostedPages, outcome: Partial<WebhookDelivery>): Promise<void> {
  const { store } = hosted.runtime
  const { data } = await store.list('webhook_deliveries', { limit: 100 })
  const writes = data.map((delivery) => ({ put: { ...delivery, next_attempt_at: null, ...outcome } }))
  await store.transact(async () => ({ result: null, writes, events: [] }))
}

function endpoint(hosted: HostedPages) {
  const fields = { url: 'http://127.0.0.1:3000/hook?a=1', enabled_events: ['*'] }
  return hosted.create(
    (context) => createWebhookEndpoint(fields, { secret: 'whsec_devtools', existing: 0 }, context).endpoint,
  )
}

/** Opens a page with an open test bar. */
function openBar(hosted: HostedPages, path: string): Promise<ServedPage> {
  return hosted.serve({ path, query: 'developer' })
}

test('hides events and outcome buttons, and rejects outcomes, when other machines can open the pages', async () => {
  const hosted = openPages(false)
  await endpoint(hosted)
  const path = pathOf(await hosted.payment())
  const { body } = await hosted.serve({ path, query: 'developer' })
  assert.not.match(body, /class="events"|payment_session\.created|name="test_card"/)
  assert.is((await hosted.submit(path, { test_card: 'visa' })).status, 422)
})

test('accepts an outcome that the developer chose in the test bar instead of a card', async () => {
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

test('offers only outcomes with a test card and ignores unknown outcomes', async () => {
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

test('shows the events of a session with the webhook responses', async () => {
  const hosted = openPages(true)
  await endpoint(hosted)
  const session = await hosted.checkout()
  const path = pathOf(session)
  await hosted.submit(path, card('4000000000000002'))
  const pending = (await openBar(hosted, path)).body
  for (const words of ['payment.failed', 'payment.created', 'checkout_session.created', 'pending']) {
    assert.match(pending, words)
  }
  await setDeliveryOutcome(hosted, {
    status: 'succeeded',
    http_status: 200,
    duration_ms: 23,
    response_body: 'thanks',
  })
  const answered = (await openBar(hosted, path)).body
  assert.match(answered, 'http://127.0.0.1:3000/hook?a=1</bdi> <b>200 in 23 ms</b>')
  assert.match(answered, '<pre dir="auto">thanks</pre>')
  await setDeliveryOutcome(hosted, {
    status: 'failed',
    http_status: null,
    error: 'connection',
    response_body: null,
  })
  assert.match((await openBar(hosted, path)).body, 'not delivered: connection')
  await hosted.submit(path, VISA)
  const { body } = await openBar(hosted, path)
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

test('a closed test bar contains a link to the events instead of the events', async () => {
  const hosted = openPages(true)
  const path = pathOf(await hosted.payment())
  const { body } = await hosted.get(path)
  assert.match(body, `<div class="events"><p><a href="${path}?developer">Show events</a></p></div>`)
  assert.not.match(body, 'payment_session.created')
})

test('shows the events of the payment on a 3-D Secure page', async () => {
  const hosted = openPages(true)
  const asked = await hosted.submit(pathOf(await hosted.payment()), card('4000000000003220'))
  assert.match((await openBar(hosted, locationOf(asked))).body, 'payment.requires_action')
})

test('submits an outcome in the test bar together with the checkbox to use the card from now on', async () => {
  const hosted = openPages(true)
  const path = pathOf(await hosted.payment())
  const kept = '<input type="hidden" name="keep" value="1">'
  assert.match((await hosted.get(path)).body, kept)
  assert.not.match((await hosted.submit(path, { test_card: 'declined' })).body, kept)
})

test('describes the effect of an outcome and of a card number', async () => {
  const hosted = openPages(true)
  const { body } = await hosted.get(pathOf(await hosted.payment()))
  assert.match(body, 'Choosing an outcome pays immediately. A card number only fills in the form.')
})

test('shows only a notice of the test mode on error pages', async () => {
  const { body } = await openPages(true).get('/invoices/in_none')
  assert.match(body, '<p>Test mode — no money moves</p>')
  assert.not.match(body, 'class="events"')
})

test('shows that an event was not sent to any endpoint', async () => {
  const hosted = openPages(true)
  assert.match((await openBar(hosted, pathOf(await hosted.payment()))).body, 'not sent to any endpoint')
})

test('truncates long webhook responses and leaves no part of a card number', async () => {
  const hosted = openPages(true)
  await endpoint(hosted)
  const path = pathOf(await hosted.payment())
  const response_body = `${'x'.repeat(190)} 4242424242424242 ${'4 '.repeat(5000)}`
  await setDeliveryOutcome(hosted, { status: 'succeeded', http_status: 200, duration_ms: 1, response_body })
  assert.match((await openBar(hosted, path)).body, `${'x'.repeat(190)} [card num…</pre>`)
})

test('escapes webhook responses in the test bar', async () => {
  const hosted = openPages(true)
  await endpoint(hosted)
  const path = pathOf(await hosted.payment())
  for (const text of HOSTILE) {
    await setDeliveryOutcome(hosted, {
      status: 'succeeded',
      http_status: 200,
      duration_ms: 1,
      response_body: text,
    })
    const { body } = await hosted.get(path)
    const [, shown = ''] = /<pre dir="auto">([\s\S]*?)<\/pre>/.exec(body) ?? []
    assert.not.match(shown, /[<>"'`\u202e\u2066]/)
  }
})

test.run()

import { type DemoHandler, startDemoHandler } from '../../../src/cli/webhook-tools/demo-handler.ts'
import { MAX_BODY_BYTES } from '../../../src/cli/webhook-tools/local-server.ts'
import { createSignatureHeaders } from '../../../src/webhooks/sign.ts'
import { sendRequest } from '../../support/raw-http.ts'
import { assert, suite } from '../../support/suite.ts'

const SECRET = `whsec_${Buffer.from('a secret of 24 bytes....').toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(24).toString('base64')}`

const test = suite<{ handler: DemoHandler }>('cli/demo-handler')

test.before.each(async (context) => {
  context.handler = await startDemoHandler(() => SECRET)
})

test.after.each(({ handler }) => handler.close())

const event = (type: string) => JSON.stringify({ id: 'evt_1', type })

/** Sends a body with a signature of `signed` (default: the body itself), and returns the status. */
async function deliver(
  { url }: DemoHandler,
  body: string,
  { signed = body, secret = SECRET }: { readonly signed?: string; readonly secret?: string } = {},
): Promise<number> {
  const headers = createSignatureHeaders({
    id: 'evt_1',
    secrets: [secret],
    body: signed,
    timestamp: 1_790_000_000,
  })
  return (await sendRequest(url, { method: 'POST', headers, body })).status
}

test('listens on a free port of 127.0.0.1', async ({ handler }) => {
  assert.match(handler.url, /^http:\/\/127\.0\.0\.1:\d+\/webhooks$/)
})

test('returns 200 for a valid signature and stores the event', async ({ handler }) => {
  assert.is(await deliver(handler, event('customer.created')), 200)
  assert.equal(await handler.waitFor('customer.created'), [
    { type: 'customer.created', id: 'evt_1', isSignatureValid: true },
  ])
})

test('returns 400 for an invalid signature, but stores the event', async ({ handler }) => {
  assert.is(await deliver(handler, event('a.b'), { signed: event('c.d') }), 400)
  assert.is(await deliver(handler, event('a.b'), { secret: OTHER }), 400)
  assert.is((await sendRequest(handler.url, { method: 'POST', body: event('a.b') })).status, 400)
  const received = await handler.waitFor('a.b')
  assert.equal(
    received.map(({ isSignatureValid }) => isSignatureValid),
    [false, false, false],
  )
})

test('accepts a request with several signatures when one of them is valid', async ({ handler }) => {
  const body = event('a.b')
  const headers = createSignatureHeaders({
    id: 'evt_1',
    secrets: [OTHER, SECRET],
    body,
    timestamp: 1_790_000_000,
  })
  assert.is((await sendRequest(handler.url, { method: 'POST', headers, body })).status, 200)
})

test('waits for an event and returns it with all earlier events', async ({ handler }) => {
  const waited = handler.waitFor('a.last')
  await deliver(handler, event('a.first'))
  await deliver(handler, event('a.last'))
  assert.equal(
    (await waited).map(({ type }) => type),
    ['a.first', 'a.last'],
  )
})

test('returns 400 for an invalid or too large body and does not store the event', async ({ handler }) => {
  assert.is(await deliver(handler, 'no JSON'), 400)
  const large = JSON.stringify({ id: 'evt_1', type: 'a.large', x: 'x'.repeat(MAX_BODY_BYTES) })
  assert.is(await deliver(handler, large).catch(() => 400), 400)
  await deliver(handler, event('a.b'))
  assert.is((await handler.waitFor('a.b')).length, 1)
})

test.run()

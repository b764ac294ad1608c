import { type Receiver, startReceiver } from '../../../src/cli/webhook-tools/receiver.ts'
import { signatureHeaders } from '../../../src/webhooks/sign.ts'
import { assert, suite } from '../../support/suite.ts'
import { ask } from '../../support/wire.ts'

const SECRET = `whsec_${Buffer.from('a secret of 24 bytes....').toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(24).toString('base64')}`
const MAX_BODY_BYTES = 1024 * 1024

const test = suite<{ receiver: Receiver }>('cli/receiver')

test.before.each(async (context) => {
  context.receiver = await startReceiver(() => SECRET)
})

test.after.each(({ receiver }) => receiver.close())

const event = (type: string) => JSON.stringify({ id: 'evt_1', type })

/** Delivers a body, signed as it is unless told otherwise. */
async function deliver(
  { url }: Receiver,
  body: string,
  { signed = body, secret = SECRET }: { readonly signed?: string; readonly secret?: string } = {},
): Promise<number> {
  const headers = signatureHeaders({ id: 'evt_1', secrets: [secret], body: signed, timestamp: 1_790_000_000 })
  return (await ask(url, { method: 'POST', headers, body })).status
}

test('it listens on this machine, on a free port', async ({ receiver }) => {
  assert.match(receiver.url, /^http:\/\/127\.0\.0\.1:\d+\/webhooks$/)
})

test('a genuine delivery is answered with 200 and remembered', async ({ receiver }) => {
  assert.is(await deliver(receiver, event('customer.created')), 200)
  assert.equal(await receiver.until('customer.created'), [
    { type: 'customer.created', id: 'evt_1', isGenuine: true },
  ])
})

test('a forged one is answered with 400 and remembered as forged', async ({ receiver }) => {
  assert.is(await deliver(receiver, event('a.b'), { signed: event('c.d') }), 400)
  assert.is(await deliver(receiver, event('a.b'), { secret: OTHER }), 400)
  assert.is((await ask(receiver.url, { method: 'POST', body: event('a.b') })).status, 400)
  const received = await receiver.until('a.b')
  assert.equal(
    received.map(({ isGenuine }) => isGenuine),
    [false, false, false],
  )
})

test('one of several signatures is enough', async ({ receiver }) => {
  const body = event('a.b')
  const headers = signatureHeaders({ id: 'evt_1', secrets: [OTHER, SECRET], body, timestamp: 1_790_000_000 })
  assert.is((await ask(receiver.url, { method: 'POST', headers, body })).status, 200)
})

test('waiting ends when the event comes, with all that came before', async ({ receiver }) => {
  const waited = receiver.until('a.last')
  await deliver(receiver, event('a.first'))
  await deliver(receiver, event('a.last'))
  assert.equal(
    (await waited).map(({ type }) => type),
    ['a.first', 'a.last'],
  )
})

test('what is no event, or too large, is not remembered', async ({ receiver }) => {
  assert.is(await deliver(receiver, 'no JSON'), 400)
  const large = JSON.stringify({ id: 'evt_1', type: 'a.large', x: 'x'.repeat(MAX_BODY_BYTES) })
  assert.is(await deliver(receiver, large).catch(() => 400), 400)
  await deliver(receiver, event('a.b'))
  assert.is((await receiver.until('a.b')).length, 1)
})

test.run()

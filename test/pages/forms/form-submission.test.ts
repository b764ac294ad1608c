import { DEFAULT_RETENTION } from '../../../src/domain/time/retention.ts'
import { deleteExpiredRecords } from '../../../src/engine/retention.ts'
import { assert, suite } from '../../support/suite.ts'
import { card, HostedPages, locationOf, NOW, pathOf, tokenIn, VISA } from '../hosted-pages.ts'

const test = suite('submission')

const SENDERS = 20

test('creates one payment for 20 concurrent submissions of one form', async () => {
  for (const make of ['payment', 'checkout'] as const) {
    const hosted = new HostedPages()
    const session = await hosted[make]()
    const form_token = tokenIn((await hosted.get(pathOf(session))).body)
    const sent = Array.from({ length: SENDERS }, () => hosted.post(pathOf(session), { ...VISA, form_token }))
    for (const answer of await Promise.all(sent)) {
      assert.is(answer.status, 303)
      assert.is(locationOf(answer), `${pathOf(session)}/done`)
    }
    const events = await hosted.events()
    assert.is(events.filter((type) => type === 'payment.succeeded').length, 1)
    assert.is(events.filter((type) => type === `${make}_session.completed`).length, 1)
    assert.is(events.at(-1), `${make}_session.completed`)
  }
})

test('creates one payment for 20 concurrent submissions of different forms of one session', async () => {
  const hosted = new HostedPages()
  const session = await hosted.payment()
  const sent = Array.from({ length: SENDERS }, () => hosted.submit(pathOf(session), VISA))
  for (const answer of await Promise.all(sent)) assert.is(answer.status, 303)
  const payments = await hosted.runtime.store.list('payments', { limit: 100 })
  assert.is(payments.data.length, 1)
})

test('returns the same decline when a form is submitted again', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.payment())
  const form_token = tokenIn((await hosted.get(path)).body)
  const form = { ...card('4000000000009995'), form_token }
  const sent = await Promise.all(Array.from({ length: SENDERS }, () => hosted.post(path, form)))
  for (const { status, body } of sent) {
    assert.is(status, 402)
    assert.match(
      body,
      'Your card has insufficient funds. Try another card. The card ending in 9995 was not charged.',
    )
    assert.is.not(tokenIn(body), form_token)
  }
  assert.is((await hosted.events()).filter((type) => type === 'payment.failed').length, 1)
  const other = await hosted.post(path, { ...VISA, form_token })
  assert.is(other.status, 402, 'the form is used up, whatever it holds now')
})

test('rejects an expired form before its stored token is deleted', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.payment({ expires_at: NOW + 3 * 86_400 }))
  const form_token = tokenIn((await hosted.get(path)).body)
  const form = { ...card('4000000000009995'), form_token }
  await hosted.post(path, form)
  for (const [age, status] of [
    [86_400, 402],
    [86_401, 422],
  ] as const) {
    hosted.now = NOW + age
    await deleteExpiredRecords(hosted.runtime, DEFAULT_RETENTION)
    assert.is((await hosted.post(path, form)).status, status)
  }
  assert.is((await hosted.events()).filter((type) => type === 'payment.failed').length, 1)
})

test('redirects to 3-D Secure again when the same form is submitted again', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.payment())
  const form_token = tokenIn((await hosted.get(path)).body)
  const form = { ...card('4000000000003220'), form_token }
  const first = await hosted.post(path, form)
  assert.match(locationOf(first), /^\/3ds\/py_/)
  assert.is(locationOf(await hosted.post(path, form)), locationOf(first))
  assert.is((await hosted.events()).filter((type) => type === 'payment.created').length, 1)
})

test('accepts a form again after it was submitted with errors', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.payment())
  const form_token = tokenIn((await hosted.get(path)).body)
  assert.is((await hosted.post(path, { ...VISA, cvc: '', form_token })).status, 422)
  assert.is((await hosted.post(path, { ...VISA, form_token })).status, 303)
})

test('stores nothing when a page is opened', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.payment())
  const before = await hosted.kept()
  let writes = 0
  const { store } = hosted.runtime
  const transact = store.transact.bind(store)
  store.transact = (work) => {
    writes += 1
    return transact(work)
  }
  for (const end of ['', '/done', '/attempts/none']) await hosted.get(path + end)
  assert.is(writes, 0)
  assert.is(await hosted.kept(), before)
})

test.run()

import { assert, suite } from '../../support/suite.ts'
import { card, HostedPages, locationOf, NOW, pathOf, tokenIn, VISA } from '../hosted-pages.ts'

const test = suite('three-d-secure-handlers')

const CHALLENGED = card('4000000000003220')
const CHALLENGED_THEN_DECLINED = card('4000008400001629')

async function openChallenge(hosted: HostedPages, path: string, fields = CHALLENGED): Promise<string> {
  const answer = await hosted.submit(path, fields)
  assert.is(answer.status, 303)
  return locationOf(answer)
}

test('completes a checkout session and a payment session after 3-D Secure approval', async () => {
  const hosted = new HostedPages()
  for (const session of [await hosted.payment(), await hosted.checkout()]) {
    const bank = await openChallenge(hosted, pathOf(session))
    assert.match(bank, /^\/3ds\/py_\d+$/)
    const { status, body } = await hosted.get(bank)
    assert.is(status, 200)
    assert.match(body, 'Visa ending in 3220')
    assert.match(body, session.object === 'payment_session' ? '€45.00' : '€1,200.00')
    const approved = await hosted.submit(bank, { answer: 'approve' })
    assert.is(locationOf(approved), `${pathOf(session)}/done`)
    assert.is((await hosted.get(bank)).status, 410)
  }
})

test('shows the card form with the reason after 3-D Secure rejection', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.payment())
  const bank = await openChallenge(hosted, path)
  const rejected = await hosted.submit(bank, { answer: 'reject' })
  assert.is(rejected.status, 303)
  const back = await hosted.get(locationOf(rejected))
  assert.is(back.status, 200)
  assert.match(back.body, 'Payment not confirmed')
  assert.match(back.body, 'The card ending in 3220 was not charged.')
  assert.not.match((await hosted.get(path)).body, 'Payment not confirmed')
  assert.is((await hosted.post(path, { ...VISA, form_token: tokenIn(back.body) })).status, 303)
})

test('shows the card form after 3-D Secure approval and a decline', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.payment())
  const bank = await openChallenge(hosted, path, CHALLENGED_THEN_DECLINED)
  const answer = await hosted.submit(bank, { answer: 'approve' })
  assert.match((await hosted.get(locationOf(answer))).body, 'Card declined')
})

test('serves the 3-D Secure page for saving a card below the id of its session', async () => {
  const hosted = new HostedPages()
  for (const [answer, end] of [
    ['approve', /\/done$/],
    ['reject', /\/attempts\/\w+$/],
  ] as const) {
    const session = await hosted.checkout({ start_date: NOW + 86_400 })
    const bank = await openChallenge(hosted, pathOf(session))
    assert.is(bank, `/3ds/${session.id}`)
    assert.match((await hosted.get(bank)).body, 'saving this card')
    assert.match(locationOf(await hosted.submit(bank, { answer })), end)
  }
})

test('returns the same outcome for a repeated 3-D Secure response', async () => {
  const hosted = new HostedPages()
  for (const answer of ['approve', 'reject']) {
    const bank = await openChallenge(hosted, pathOf(await hosted.payment()))
    const form = { answer, form_token: tokenIn((await hosted.get(bank)).body) }
    const sent = await Promise.all(Array.from({ length: 20 }, () => hosted.post(bank, form)))
    assert.is(new Set(sent.map(locationOf)).size, 1)
    assert.ok(sent.every(({ status }) => status === 303))
  }
  const events = await hosted.events()
  assert.is(events.filter((type) => type === 'payment.succeeded').length, 1)
  assert.is(events.filter((type) => type === 'payment.failed').length, 1)
})

test('rejects a 3-D Secure response without a token of the page', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.payment())
  const form = tokenIn((await hosted.get(path)).body)
  const bank = await openChallenge(hosted, path)
  for (const form_token of ['', form, 'x']) {
    assert.is((await hosted.post(bank, { answer: 'approve', form_token })).status, 422)
  }
  assert.is((await hosted.submit(bank, {})).status, 422)
  assert.is((await hosted.submit(bank, { answer: 'maybe' })).status, 422)
  assert.not.ok((await hosted.events()).includes('payment.succeeded'))
})

test('returns 410 for a superseded, expired or finished confirmation', async () => {
  const hosted = new HostedPages()
  const session = await hosted.payment()
  const first = await openChallenge(hosted, pathOf(session))
  const form_token = tokenIn((await hosted.get(first)).body)
  const second = await openChallenge(hosted, pathOf(session))
  assert.is((await hosted.get(first)).status, 410)
  assert.is((await hosted.post(first, { answer: 'approve', form_token })).status, 410)
  assert.is((await hosted.get(second)).status, 200)
  const late = tokenIn((await hosted.get(second)).body)
  hosted.now = session.expires_at
  assert.is((await hosted.post(second, { answer: 'approve', form_token: late })).status, 410)
  assert.match((await hosted.get(second)).body, 'See the result')
})

test('shows the reason why a session ended before the 3-D Secure confirmation', async () => {
  for (const [reason, words] of [
    ['time', 'The link expired before this was confirmed, so nothing was charged.'],
    ['api', 'The request was canceled before this was confirmed, so nothing was charged.'],
  ] as const) {
    const hosted = new HostedPages()
    const session = await hosted.payment()
    const bank = await openChallenge(hosted, pathOf(session))
    const form_token = tokenIn((await hosted.get(bank)).body)
    if (reason === 'time') hosted.now = session.expires_at
    else await hosted.cancel(session)
    const late = await hosted.post(bank, { answer: 'approve', form_token })
    assert.is(late.status, 410)
    for (const { body } of [late, await hosted.get(bank)]) {
      assert.match(body, words)
      assert.not.match(body, 'already answered')
    }
  }
})

test('replaces a pending confirmation when the customer submits another card', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.payment())
  const bank = await openChallenge(hosted, path)
  assert.match((await hosted.get(bank)).body, `href="${path}"`)
  await hosted.submit(path, VISA)
  const { status, body } = await hosted.get(bank)
  assert.is(status, 410)
  assert.match(body, 'or another card was used after it')
  assert.is((await hosted.events()).filter((type) => type === 'payment.canceled').length, 1)
})

test.run()

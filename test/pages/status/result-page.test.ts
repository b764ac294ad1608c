import { SLOW_CARD_SECONDS } from '../../../src/domain/cards/test-cards.ts'
import { START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'
import { createClockSandbox, newCheckout, updateClock } from '../clock-sandbox.ts'
import { card, HostedPages, locationOf, NOW, pathOf, RETURN_URL, tokenIn, VISA } from '../hosted-pages.ts'

const test = suite('result-page')

const SLOW = card('4000009000000060')
const TITLE = 'Your payment is being processed'

async function payments({ runtime }: HostedPages): Promise<string[]> {
  const { data } = await runtime.store.list('payments', { limit: 100 })
  return data.map(({ status }) => status)
}

test('shows the processing page, which refreshes until the issuer decides', async () => {
  const hosted = new HostedPages()
  for (const session of [await hosted.payment(), await hosted.checkout({}, { return_url: RETURN_URL })]) {
    const path = pathOf(session)
    const sent = await hosted.submit(path, SLOW)
    assert.equal([sent.status, locationOf(sent)], [303, `${path}/done`])
    for (const waiting of [path, `${path}/done`, `${path}/attempts/none`]) {
      const { status, body } = await hosted.get(waiting)
      assert.is(status, 200, waiting)
      assert.match(body, TITLE)
      assert.match(body, session.object === 'payment_session' ? '€45.00' : '€1,200.00')
      assert.match(body, `<meta http-equiv="refresh" content="2; url=${path}/done">`)
      assert.not.match(body, 'method="post"')
    }
    hosted.now += SLOW_CARD_SECONDS - 1
    assert.match((await hosted.get(`${path}/done`)).body, TITLE)
    hosted.now += 1
    const { body } = await hosted.get(`${path}/done`)
    assert.match(body, session.object === 'payment_session' ? 'Payment received' : 'You are subscribed')
    assert.match(body, `content="0; url=${RETURN_URL.replaceAll('&', '&amp;')}"`)
    assert.match((await hosted.get(path)).body, 'Already paid')
  }
})

test('a form that is submitted while a payment is processing causes no second charge', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.payment())
  const other = tokenIn((await hosted.get(path)).body)
  const form = { ...SLOW, form_token: tokenIn((await hosted.get(path)).body) }
  const sent = await Promise.all(Array.from({ length: 20 }, () => hosted.post(path, form)))
  for (const answer of sent) assert.equal([answer.status, locationOf(answer)], [303, `${path}/done`])
  const events = await hosted.events()
  for (const fields of [
    { ...VISA, form_token: other },
    { ...SLOW, form_token: other },
    { ...VISA, name: 'x'.repeat(257), form_token: other },
    { form_token: other },
    {},
  ]) {
    const { status, headers, body } = await hosted.post(path, fields)
    assert.equal([status, headers['Retry-After']], [409, String(SLOW_CARD_SECONDS)])
    assert.match(body, TITLE)
  }
  assert.equal(await payments(hosted), ['processing'])
  assert.equal(await hosted.events(), events)
  hosted.now += SLOW_CARD_SECONDS
  assert.is(locationOf(await hosted.post(path, form)), `${path}/done`, 'it has the same outcome for ever')
  assert.is(locationOf(await hosted.post(path, { ...VISA, form_token: other })), `${path}/done`)
  assert.equal(await payments(hosted), ['succeeded'])
})

test('charges once for concurrent forms of one session', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.payment())
  const sent = await Promise.all(Array.from({ length: 20 }, () => hosted.submit(path, SLOW)))
  assert.equal(sent.map(({ status }) => status).toSorted(), [303, ...Array<number>(19).fill(409)])
  assert.equal(await payments(hosted), ['processing'])
})

test('serves no 3-D Secure page for a processing payment', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.payment())
  const challenged = await hosted.submit(path, card('4000000000003220'))
  const form_token = tokenIn((await hosted.get(locationOf(challenged))).body)
  await hosted.submit(path, SLOW)
  const { data } = await hosted.runtime.store.list('payments', { where: { status: 'processing' }, limit: 1 })
  const bank = `/3ds/${data[0]?.id}`
  for (const answer of [
    await hosted.get(bank),
    await hosted.get(locationOf(challenged)),
    await hosted.post(locationOf(challenged), { answer: 'approve', form_token }),
  ]) {
    assert.is(answer.status, 410)
    assert.match(answer.body, `href="${path}"`)
  }
  assert.is(locationOf(await hosted.get(`${bank}/done`)), `${path}/done`)
})

test('shows the decision of the issuer even after expires_at', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.payment({ expires_at: NOW + 1800 }))
  hosted.now = NOW + 1799
  await hosted.submit(path, SLOW)
  hosted.now = NOW + 1800
  for (const waiting of [path, `${path}/done`]) {
    const { status, body } = await hosted.get(waiting)
    assert.is(status, 200)
    assert.match(body, 'being processed')
  }
  assert.equal(await payments(hosted), ['processing'])
  hosted.now += SLOW_CARD_SECONDS
  assert.is((await hosted.get(path)).status, 200)
  assert.equal(await payments(hosted), ['succeeded'])
})

test('does not wait for the issuer when a card is saved without a charge', async () => {
  const hosted = new HostedPages()
  const path = pathOf(await hosted.checkout({ start_date: NOW + 86_400 }))
  await hosted.submit(path, SLOW)
  assert.match((await hosted.get(`${path}/done`)).body, 'You are subscribed')
})

test('waits for the issuer in real time when the customer is on a test clock', async () => {
  const clocked = await createClockSandbox(START - 1000)
  const { hosted, sandbox } = clocked
  const path = pathOf(await newCheckout(clocked))
  await hosted.submit(path, SLOW)
  assert.match((await hosted.get(path)).body, TITLE)
  await updateClock(clocked, { status: 'advancing' })
  assert.match((await hosted.get(`${path}/done`)).body, 'One moment, please')
  await updateClock(clocked, {})
  sandbox.setClock(START + SLOW_CARD_SECONDS)
  assert.match((await hosted.get(`${path}/done`)).body, 'You are subscribed')
})

test.run()

import { assert, suite } from '../../support/suite.ts'
import { card, HostedPages, locationOf, NOW, pathOf, tokenIn, VISA } from '../hosted-pages.ts'
import { WALLET_TYPES } from '../wallet-scenes.ts'

const test = suite('wallet-handlers')

const sheetOf = (session: { readonly url: string }) => `${pathOf(session)}/wallet`
const payment = (hosted: HostedPages) => hosted.payment(WALLET_TYPES)
const checkout = (hosted: HostedPages) => hosted.checkout({}, WALLET_TYPES)

test('offers the wallet above the card form only for sessions with the payment method type wallet', async () => {
  const hosted = new HostedPages()
  for (const session of [await payment(hosted), await checkout(hosted)]) {
    const { body } = await hosted.get(pathOf(session))
    assert.ok(body.indexOf(`action="${sheetOf(session)}"`) < body.indexOf('id="card"'))
    assert.match(body, 'or pay with card')
  }
  for (const session of [await hosted.payment(), await hosted.checkout()]) {
    assert.not.match((await hosted.get(pathOf(session))).body, 'wallet"')
    assert.is(locationOf(await hosted.get(sheetOf(session))), pathOf(session))
    assert.is(locationOf(await hosted.post(sheetOf(session), { answer: 'approve' })), pathOf(session))
  }
  assert.equal(
    (await hosted.events()).filter((type) => type.startsWith('payment.')),
    [],
  )
})

test('offers no wallet when no card is needed', async () => {
  const hosted = new HostedPages()
  const session = await hosted.checkout({ collection_method: 'send_invoice' }, WALLET_TYPES)
  assert.not.match((await hosted.get(pathOf(session))).body, 'Pay with wallet')
  assert.is(locationOf(await hosted.get(sheetOf(session))), pathOf(session))
})

test('shows merchant, amount and card on the sheet', async () => {
  const hosted = new HostedPages()
  for (const [session, amount] of [
    [await payment(hosted), '€45.00'],
    [await checkout(hosted), '€1,200.00'],
    [await hosted.checkout({ start_date: NOW + 86_400 }, WALLET_TYPES), '€0.00'],
  ] as const) {
    const { status, body } = await hosted.get(sheetOf(session))
    assert.is(status, 200)
    assert.match(body, amount)
    assert.match(body, '<bdi dir="ltr">Visa •••• 4242</bdi> (test wallet)')
    if (session.return_url !== null) assert.match(body, 'shop.example')
  }
})

test('escapes a hostile business name on the sheet', async () => {
  const hosted = new HostedPages()
  hosted.pages.brand = { name: '</p><script>pwned=1</script>\u202eevil' }
  const { body } = await hosted.get(sheetOf(await payment(hosted)))
  assert.not.match(body, '<script>pwned')
  assert.match(body, '&lt;/p&gt;&lt;script&gt;pwned=1')
})

test('completes a session after an approval, and the sheet shows the result', async () => {
  const hosted = new HostedPages()
  for (const session of [await payment(hosted), await checkout(hosted)]) {
    const paid = await hosted.submit(sheetOf(session), { answer: 'approve' })
    assert.is(locationOf(paid), `${pathOf(session)}/done`)
    assert.match((await hosted.get(sheetOf(session))).body, 'Already paid')
    const again = await hosted.post(sheetOf(session), { answer: 'approve' })
    assert.is(locationOf(again), `${pathOf(session)}/done`)
  }
  const events = await hosted.events()
  assert.is(events.filter((type) => type === 'payment.succeeded').length, 2)
})

test('shows the form with the reason after a decline, and accepts a card', async () => {
  const hosted = new HostedPages()
  const session = await payment(hosted)
  const form_token = tokenIn((await hosted.get(sheetOf(session))).body)
  const location = await hosted.browse(sheetOf(session), { answer: 'decline', form_token })
  assert.ok(location.startsWith(`${pathOf(session)}?`))
  const { body } = await hosted.follow(location)
  assert.match(body, 'Card declined')
  assert.match(body, 'The card ending in 4242 was not charged.')
  assert.is((await hosted.post(pathOf(session), { ...VISA, form_token: tokenIn(body) })).status, 303)
})

test('redirects to the form and stores nothing after a cancellation or an invalid decision', async () => {
  const hosted = new HostedPages()
  const session = await payment(hosted)
  const form_token = tokenIn((await hosted.get(sheetOf(session))).body)
  const kept = await hosted.kept()
  for (const answer of ['cancel', '', 'pay'])
    assert.is(locationOf(await hosted.post(sheetOf(session), { answer, form_token })), pathOf(session))
  assert.is(await hosted.kept(), kept)
  const paid = await hosted.post(sheetOf(session), { answer: 'approve', form_token })
  assert.is(locationOf(paid), `${pathOf(session)}/done`)
})

test('the wallet sheet of an expired session returns 410', async () => {
  const hosted = new HostedPages()
  const session = await payment(hosted)
  const form_token = tokenIn((await hosted.get(sheetOf(session))).body)
  hosted.now = session.expires_at
  for (const answer of ['approve', 'decline'])
    assert.is((await hosted.post(sheetOf(session), { answer, form_token })).status, 410)
  assert.is((await hosted.get(sheetOf(session))).status, 410)
})

test('shows the processing page while an earlier payment is processing', async () => {
  const hosted = new HostedPages()
  const session = await payment(hosted)
  const form_token = tokenIn((await hosted.get(sheetOf(session))).body)
  await hosted.submit(pathOf(session), card('4000009000000060'))
  assert.match((await hosted.get(sheetOf(session))).body, 'Your payment is being processed')
  assert.is((await hosted.post(sheetOf(session), { answer: 'approve', form_token })).status, 409)
})

test('card sessions have no wallet sheet', async () => {
  assert.is((await new HostedPages().get('/cards/cd_sess_1/wallet')).status, 404)
})

test.run()

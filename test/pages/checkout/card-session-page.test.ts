import { api } from '../../../src/api/api.ts'
import type { CardSession } from '../../../src/domain/completion/card-sessions.ts'
import { subscribe, toNextPeriod } from '../../support/billing.ts'
import { newCardSession, newCustomer } from '../../support/samples.ts'
import { CHECKOUT_URL, createSandbox, DAY, type Sandbox } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'
import { card, HostedPages, locationOf, pathOf, textOf, VISA } from '../hosted-pages.ts'
import { HOSTILE } from '../hostile.ts'

const test = suite('pages/card-page')

interface Scene {
  readonly sandbox: Sandbox
  readonly hosted: HostedPages
  readonly session: CardSession
  readonly path: string
}

/** Opens a card session of a customer whose renewal of 1200.00 EUR was declined. */
async function openScene(fields: Parameters<typeof newCardSession>[1] = {}): Promise<Scene> {
  const sandbox = createSandbox()
  const { id: customer } = await newCustomer(sandbox)
  const { id } = await subscribe(sandbox, { customer, card: 'renewal_no_funds' })
  await toNextPeriod(sandbox, id)
  const session = await newCardSession(sandbox, { customer, ...fields })
  const hosted = new HostedPages(CHECKOUT_URL, sandbox.runtime)
  return { sandbox, hosted, session, path: pathOf(session) }
}

function statusOf({ sandbox, session: { id } }: Scene): Promise<string> {
  return sandbox.call(api.cardSessions.retrieve, { id }).then(({ status }) => status)
}

test('shows the purpose of the card, and the invoice that the card pays', async () => {
  const { hosted, path } = await openScene()
  const { status, body } = await hosted.get(path)
  assert.is(status, 200)
  for (const text of ['Update your card', 'Monthly rent', 'every month', 'Invoice INV-000002', '€1,200.00'])
    assert.match(body, text)
  assert.match(body, 'Save card and pay €1,200.00')
  assert.match(body, '<span class="logo"')
})

test('shows the current card, and the next payment unless the subscription ends', async () => {
  const { sandbox, hosted, path, session } = await openScene()
  const { data } = await sandbox.call(api.subscriptions.list, { customer: session.customer })
  const text = async () => textOf((await hosted.get(path)).body)
  assert.match(await text(), /Current card Visa •••• 0011 Expiry 12 \/ 74 .* Next payment · March 15, 2024/)
  await sandbox.call(api.subscriptions.update, { id: data[0]?.id ?? '', cancel_at_period_end: true })
  assert.not.match(await text(), 'Next payment')
})

test('shows each distinct card that the new card replaces', async () => {
  const scene = await openScene()
  const { customer } = scene.session
  for (const card of ['amex', 'amex']) await subscribe(scene.sandbox, { customer, card })
  const only = await subscribe(scene.sandbox, { customer, card: 'mastercard' })
  const cardsOf = async (fields: Parameters<typeof newCardSession>[1]) => {
    const session = await newCardSession(scene.sandbox, { customer, ...fields })
    const [list = ''] = textOf((await scene.hosted.get(pathOf(session))).body).split(
      'The new card is charged',
    )
    return list.match(/•••• \d+/g)
  }
  assert.equal(await cardsOf({}), ['•••• 0011', '•••• 0005', '•••• 4444'])
  assert.equal(await cardsOf({ use_for: 'customer' }), ['•••• 0011'])
  assert.equal(await cardsOf({ subscription: only.id }), ['•••• 4444'])
})

test('offers to save the card when there is no invoice to pay', async () => {
  const { hosted, path } = await openScene({ pay_open_invoices: false })
  const { body } = await hosted.get(path)
  assert.match(body, '>Save card<')
  assert.match(body, 'Nothing is charged today.')
  assert.not.match(body, 'INV-')
})

test('shows no amount on the button for invoices in several currencies', async () => {
  const scene = await openScene()
  const { customer } = scene.session
  const yen = { customer, currency: 'jpy', card: 'renewal_no_funds', interval: 'week' } as const
  await subscribe(scene.sandbox, yen)
  await scene.sandbox.advance(7 * DAY)
  const session = await newCardSession(scene.sandbox, { customer })
  assert.match((await scene.hosted.get(pathOf(session))).body, '>Save card and pay the invoices<')
})

test('saves the card for later payments when the customer has no subscription', async () => {
  const sandbox = createSandbox()
  const session = await newCardSession(sandbox)
  const hosted = new HostedPages(CHECKOUT_URL, sandbox.runtime)
  assert.match((await hosted.get(pathOf(session))).body, 'saved for later payments')
  assert.is(locationOf(await hosted.submit(pathOf(session), VISA)), `${pathOf(session)}/done`)
  assert.match((await hosted.get(`${pathOf(session)}/done`)).body, 'Thank you. Your new card is saved.')
})

test('a submitted card pays the invoice, and the result page names the card and the invoice', async () => {
  const scene = await openScene({ return_url: 'https://shop.example/?id={CARD_SESSION_ID}' })
  const { hosted, path, session } = scene
  assert.is(locationOf(await hosted.submit(path, VISA)), `${path}/done`)
  const { body } = await hosted.follow(`${path}/done`)
  for (const text of ['Your card is updated', 'Visa ending in 4242', 'INV-000002', '€1,200.00'])
    assert.match(body, text)
  assert.match(body, `https://shop.example/?id=${session.id}`)
  assert.match((await hosted.get(path)).body, 'Card already updated')
  assert.is(await statusOf(scene), 'complete')
})

test('the result page names an invoice whose charge the issuer declined', async () => {
  const scene = await openScene()
  await scene.hosted.submit(scene.path, card('4000000000000341'))
  const { body } = await scene.hosted.follow(`${scene.path}/done`)
  assert.match(body, 'your bank declined a payment')
  assert.match(body, '€1,200.00: Declined')
  assert.is(await statusOf(scene), 'complete')
})

test('a card with 3-D Secure is confirmed without an amount, and then pays the invoice', async () => {
  const scene = await openScene()
  const { hosted, path, session } = scene
  const bank = locationOf(await hosted.submit(path, card('4000002760003184')))
  assert.is(bank, `/3ds/${session.id}`)
  const { body } = await hosted.get(bank)
  assert.match(body, 'Confirm your card')
  assert.not.match(body, 'Amount today')
  assert.is(locationOf(await hosted.submit(bank, { answer: 'approve' })), `${path}/done`)
  assert.match((await hosted.follow(`${path}/done`)).body, 'your open invoices are paid')
  assert.is((await hosted.get(bank)).status, 410)
})

/** Returns the tags of the page for a subscription with this description, without the values of their attributes. */
async function tagsFor(description: string): Promise<string[]> {
  const { sandbox, hosted, path, session } = await openScene()
  const [subscription] = (await sandbox.store.list('subscriptions', { limit: 1 })).data
  const [invoice] = (await sandbox.store.list('invoices', { where: { status: 'open' }, limit: 1 })).data
  if (subscription === undefined || invoice === undefined) throw new Error(`${session.id} pays nothing`)
  const changed = [
    { ...subscription, description },
    { ...invoice, description },
  ]
  const writes = changed.map((put) => ({ put }))
  await sandbox.store.transact(async () => ({ result: null, writes, events: [] }))
  const { body } = await hosted.get(path)
  return (body.match(/<[^>]*>/g) ?? []).map((tag) => tag.replace(/ (?:value|action)="[^"]*"/g, ''))
}

const tame = tagsFor('plain text')

for (const [index, text] of HOSTILE.entries()) {
  test(`escapes hostile text number ${index}`, async () => {
    assert.equal(await tagsFor(text), await tame)
  })
}

test.run()

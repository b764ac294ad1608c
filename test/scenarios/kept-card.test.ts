import { api } from '../../src/api/api.ts'
import type { Subscription } from '../../src/domain/billing/subscriptions.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { card, HostedPages, locationOf, pathOf, VISA } from '../pages/hosted-pages.ts'
import { invoiceIn, invoicesOf, type Order, subscribe, toNextPeriod } from '../support/billing.ts'
import { liveCustomer } from '../support/samples.ts'
import { CHECKOUT_URL, catchDomainError, createSandbox, type Sandbox } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('scenarios/kept-card')

const CHECKED = /<input type="checkbox" id="keep"[^>]* checked>/
const KEPT = { keep: '1' }

interface Scene {
  readonly sandbox: Sandbox
  readonly hosted: HostedPages
  readonly subscription: Subscription
  /** The path and id of the open invoice. */
  readonly path: string
  readonly invoice: string
}

/** Opens the page of the invoice of a declined renewal. */
async function openScene(order: Order = { card: 'renewal_no_funds' }): Promise<Scene> {
  const sandbox = createSandbox()
  const subscription = await subscribe(sandbox, order)
  await toNextPeriod(sandbox, subscription.id)
  const invoice = await invoiceIn(sandbox, subscription.id, ['open'])
  const hosted = new HostedPages(CHECKOUT_URL, sandbox.runtime)
  const path = pathOf({ url: invoice.hosted_invoice_url ?? '' })
  return { sandbox, hosted, subscription, path, invoice: invoice.id }
}

/** Returns the events of an action. */
async function eventsOf({ sandbox }: Scene, act: () => Promise<unknown>): Promise<string[]> {
  const before = (await sandbox.events()).length
  await act()
  return (await sandbox.events()).slice(before).map(({ type }) => type)
}

async function cardsOf({ sandbox, subscription }: Scene): Promise<number> {
  const { data } = await sandbox.call(api.paymentMethods.listOfCustomer, { id: subscription.customer })
  return data.length
}

const KEPT_EVENTS = ['payment_method.attached', 'subscription.updated']
const PAID_EVENTS = ['payment.created', 'payment.succeeded', 'invoice.paid', 'subscription.recovered']

test('the invoice page of a live subscription has a checked checkbox to use the card from now on', async () => {
  const { hosted, path } = await openScene()
  const { body } = await hosted.get(path)
  assert.match(body, 'Use this card from now on')
  assert.ok(CHECKED.test(body))
})

test('the invoice page of a canceled subscription has no checkbox to use the card from now on', async () => {
  const { sandbox, hosted, path, subscription } = await openScene()
  await sandbox.call(api.subscriptions.cancel, { id: subscription.id })
  const { body } = await hosted.get(path)
  assert.not.match(body, 'id="keep"')
  assert.match(body, 'for this invoice only and is not saved')
})

test('the invoice page has no checkbox to use the card from now on when invoices are sent', async () => {
  const { hosted, path } = await openScene({ collection_method: 'send_invoice' })
  assert.not.match((await hosted.get(path)).body, 'id="keep"')
})

test('the form after a decline has the checkbox in its submitted state', async () => {
  const { hosted, path } = await openScene()
  const unchecked = await hosted.submit(path, card('4000000000000002'))
  assert.not.ok(CHECKED.test(unchecked.body))
  const checked = await hosted.submit(path, { ...card('4000000000000002'), ...KEPT })
  assert.ok(CHECKED.test(checked.body))
})

test('with the checkbox, a card is saved before its payment and charged by the next renewal', async () => {
  const scene = await openScene()
  const { sandbox, hosted, path, subscription, invoice } = scene
  const events = await eventsOf(scene, () => hosted.submit(path, { ...VISA, ...KEPT }))
  assert.equal(events, [...KEPT_EVENTS, ...PAID_EVENTS])
  const { default_payment_method } = await sandbox.call(api.subscriptions.retrieve, { id: subscription.id })
  const { data } = await sandbox.call(api.payments.list, { invoice, status: 'succeeded' })
  assert.is(data[0]?.payment_method, default_payment_method)
  const customer = await liveCustomer(sandbox, subscription.customer)
  assert.is(customer.default_payment_method, subscription.default_payment_method)
  await toNextPeriod(sandbox, subscription.id)
  assert.is((await invoicesOf(sandbox, subscription.id)).at(-1)?.status, 'paid')
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('with the checkbox, a card becomes the default card of a customer without a default card', async () => {
  const scene = await openScene()
  const { sandbox, hosted, path, subscription } = scene
  await sandbox.call(api.paymentMethods.detach, { id: subscription.default_payment_method ?? '' })
  const events = await eventsOf(scene, () => hosted.submit(path, { ...VISA, ...KEPT }))
  assert.equal(events.slice(0, 3), ['payment_method.attached', 'customer.updated', 'subscription.updated'])
})

test('without the checkbox, a card pays only one invoice', async () => {
  const scene = await openScene()
  assert.equal(await eventsOf(scene, () => scene.hosted.submit(scene.path, VISA)), PAID_EVENTS)
  assert.is(await cardsOf(scene), 1)
})

test('with the checkbox, a declined card is not saved', async () => {
  const scene = await openScene()
  const declined = { ...card('4000000000000002'), ...KEPT }
  const events = await eventsOf(scene, () => scene.hosted.submit(scene.path, declined))
  assert.equal(events, ['payment.created', 'payment.failed', 'invoice.payment_failed'])
  assert.is(await cardsOf(scene), 1)
})

test('with the checkbox, a card that requires 3-D Secure is saved after the confirmation', async () => {
  const scene = await openScene()
  const { sandbox, hosted, path } = scene
  const bank = locationOf(await hosted.submit(path, { ...card('4000002760003184'), ...KEPT }))
  assert.is(await cardsOf(scene), 1)
  const events = await eventsOf(scene, () => hosted.submit(bank, { answer: 'approve' }))
  assert.equal(events, [...KEPT_EVENTS, ...PAID_EVENTS.slice(1)])
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('with the checkbox, a card that requires 3-D Secure is not saved after a rejection', async () => {
  const scene = await openScene()
  const bank = locationOf(await scene.hosted.submit(scene.path, { ...card('4000002760003184'), ...KEPT }))
  await scene.hosted.submit(bank, { answer: 'reject' })
  assert.is(await cardsOf(scene), 1)
})

test('pay_as_customer with keep only saves the card when the subscription is canceled', async () => {
  const scene = await openScene()
  const { sandbox, subscription, invoice } = scene
  await sandbox.call(api.subscriptions.cancel, { id: subscription.id })
  const pay = () => sandbox.call(api.invoices.payAsCustomer, { id: invoice, test_card: 'visa', keep: true })
  assert.equal(await eventsOf(scene, pay), ['payment_method.attached', ...PAID_EVENTS.slice(0, 3)])
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

/** parameters, events */
const PAID_AS_CUSTOMER = [
  [{ test_card: 'visa' }, PAID_EVENTS],
  [{ test_card: 'visa', keep: true }, [...KEPT_EVENTS, ...PAID_EVENTS]],
  [
    { test_card: 'sca_always', keep: true },
    [
      'payment.created',
      'payment.requires_action',
      'invoice.payment_action_required',
      ...KEPT_EVENTS,
      ...PAID_EVENTS.slice(1),
    ],
  ],
  [{ test_card: 'slow', keep: true }, [...KEPT_EVENTS, ...PAID_EVENTS]],
] as const

for (const [params, events] of PAID_AS_CUSTOMER) {
  test(`pay_as_customer with ${JSON.stringify(params)} causes ${events.join(', ')}`, async () => {
    const scene = await openScene()
    const pay = () => scene.sandbox.call(api.invoices.payAsCustomer, { id: scene.invoice, ...params })
    assert.equal(await eventsOf(scene, pay), events)
    assert.equal(checkInvariants(await scene.sandbox.snapshot()), [])
  })
}

/** Columns: parameters, error code, parameter of the error. */
const REJECTED = [
  [{ test_card: 'declined', keep: true }, 'card_declined', undefined],
  [{ test_card: 'sca_always', three_d_secure: 'reject' }, 'authentication_failed', undefined],
  [{}, 'card_number_missing', 'test_card'],
  [{ test_card: 'visa', card: { number: '4242424242424242' } }, 'parameters_exclusive', 'test_card'],
  [
    { card: { number: '4242424242424242', exp_month: 13, exp_year: 2040, cvc: '123' } },
    'invalid_expiry_month',
    'card[exp_month]',
  ],
] as const

for (const [params, code, param] of REJECTED) {
  test(`pay_as_customer with ${JSON.stringify(params)} throws ${code}`, async () => {
    const scene = await openScene()
    const error = await catchDomainError(
      scene.sandbox.call(api.invoices.payAsCustomer, { id: scene.invoice, ...params }),
    )
    assert.equal([error.code, error.details.param], [code, param])
    assert.is(await cardsOf(scene), 1)
  })
}

test('pay_as_customer rejects a paid invoice before it checks the card', async () => {
  const { sandbox, subscription } = await openScene()
  const paid = await invoiceIn(sandbox, subscription.id, ['paid'])
  const error = await catchDomainError(sandbox.call(api.invoices.payAsCustomer, { id: paid.id }))
  assert.is(error.code, 'invoice_unexpected_state')
})

test.run()

import { api } from '../../src/api/api.ts'
import { SLOW_CARD_SECONDS } from '../../src/domain/cards/test-cards.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { newCustomerWithCard } from '../support/billing.ts'
import { CARDS, liveCustomer, newPaymentSession } from '../support/samples.ts'
import { catchDomainError, createSandbox, type Sandbox, typed } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('scenarios/payment-session-saved-card')

const SAVING = { save_payment_method: true } as const

async function typesAfter(sandbox: Sandbox, before: number): Promise<string[]> {
  return (await sandbox.events()).slice(before).map(({ type }) => type)
}

/** Asserts that the session and its payment name the saved card, and returns the card. */
async function savedCardOf(sandbox: Sandbox, session: string) {
  const { status, payment, payment_method } = await sandbox.call(api.paymentSessions.retrieve, {
    id: session,
  })
  assert.is(status, 'complete')
  const paid = await sandbox.call(api.payments.retrieve, { id: payment ?? '' })
  assert.is(paid.payment_method, payment_method)
  return sandbox.call(api.paymentMethods.retrieve, { id: payment_method ?? '' })
}

test('saves the card as the default before the payment is created', async () => {
  const sandbox = createSandbox()
  const { id, customer } = await newPaymentSession(sandbox, SAVING)
  const { length } = await sandbox.events()
  await sandbox.submit(id, { ...typed(CARDS.visa), name: 'Ada Lovelace' })
  assert.equal(await typesAfter(sandbox, length), [
    ...['payment_method.attached', 'customer.updated', 'payment.created', 'payment.succeeded'],
    'payment_session.completed',
  ])
  const card = await savedCardOf(sandbox, id)
  assert.equal([card.customer, card.billing_details.name], [customer, 'Ada Lovelace'])
  assert.is((await liveCustomer(sandbox, customer)).default_payment_method, card.id)
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('saves a second card without changing the default', async () => {
  const sandbox = createSandbox()
  const { customer, card } = await newCustomerWithCard(sandbox, 'amex')
  const { id } = await newPaymentSession(sandbox, { ...SAVING, customer })
  const { length } = await sandbox.events()
  await sandbox.submit(id, typed(CARDS.visa))
  assert.not.ok((await typesAfter(sandbox, length)).includes('customer.updated'))
  assert.is((await liveCustomer(sandbox, customer)).default_payment_method, card)
  assert.is((await savedCardOf(sandbox, id)).card?.brand, 'visa')
})

test('saves the card after 3-D Secure, and only if the charge succeeds', async () => {
  const sandbox = createSandbox()
  const { id } = await newPaymentSession(sandbox, SAVING)
  await sandbox.submit(id, typed(CARDS.sca))
  await catchDomainError(sandbox.answer(id, false))
  await sandbox.submit(id, typed(CARDS.sca))
  assert.equal((await sandbox.snapshot()).records.payment_methods, [])
  const { length } = await sandbox.events()
  await sandbox.answer(id, true)
  assert.equal(await typesAfter(sandbox, length), [
    ...['payment_method.attached', 'customer.updated', 'payment.succeeded', 'payment_session.completed'],
  ])
  assert.is((await savedCardOf(sandbox, id)).card?.test_behavior, 'sca_setup')
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('saves a card with a slow issuer when the issuer approves', async () => {
  const sandbox = createSandbox()
  const { id } = await newPaymentSession(sandbox, SAVING)
  await sandbox.submit(id, typed(CARDS.slow))
  assert.equal((await sandbox.snapshot()).records.payment_methods, [])
  await sandbox.advance(SLOW_CARD_SECONDS)
  assert.is((await savedCardOf(sandbox, id)).card?.test_behavior, 'slow')
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('does not save a declined card', async () => {
  const sandbox = createSandbox()
  const { id } = await newPaymentSession(sandbox, SAVING)
  await catchDomainError(sandbox.submit(id, typed(CARDS.declined)))
  assert.equal((await sandbox.snapshot()).records.payment_methods, [])
})

test('the saved card can be charged again', async () => {
  const sandbox = createSandbox()
  const { id, customer } = await newPaymentSession(sandbox, SAVING)
  await sandbox.submit(id, typed(CARDS.visa))
  const { status } = await sandbox.call(api.payments.create, { customer, amount: 700, currency: 'eur' })
  assert.is(status, 'succeeded')
})

test.run()

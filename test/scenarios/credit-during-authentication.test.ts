import { api } from '../../src/api/api.ts'
import type { CheckoutSession } from '../../src/domain/sessions/checkout-sessions.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { subscribe } from '../support/billing.ts'
import { CARDS, newCheckout, newCustomer } from '../support/samples.ts'
import { catchDomainError, createSandbox, type Sandbox, typed } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('scenarios/credit-during-authentication')

/** Creates a session whose payment waits for 3-D Secure while its customer receives more credit than its price. */
async function submitBeforeCredit(sandbox: Sandbox): Promise<CheckoutSession> {
  const { id: customer } = await newCustomer(sandbox)
  const session = await newCheckout(sandbox, {}, { customer })
  await sandbox.submit(session.id, typed(CARDS.sca))
  const { id: subscription } = await subscribe(sandbox, { customer })
  await sandbox.call(api.invoiceItems.create, {
    subscription,
    description: 'Goodwill',
    unit_amount: -200_000,
  })
  await sandbox.call(api.subscriptions.cancel, { id: subscription, invoice_now: true })
  return session
}

/** Returns the status and the reason of the session's payment, the number of its end events and broken invariants. */
async function readPayment(sandbox: Sandbox, { id }: CheckoutSession) {
  const { data } = await sandbox.call(api.payments.list, { checkout_session: id })
  const [payment] = data
  const ends = (await sandbox.events()).filter(
    ({ type, data: { object } }) =>
      object.id === payment?.id && ['payment.canceled', 'payment.failed'].includes(type),
  )
  return [
    data.length,
    payment?.status,
    payment?.canceled_reason,
    ends.length,
    checkInvariants(await sandbox.snapshot()),
  ]
}

test('when credit pays the session, another card approved by 3-D Secure cancels the earlier payment once', async () => {
  const sandbox = createSandbox()
  const session = await submitBeforeCredit(sandbox)
  const completed = await sandbox.call(api.checkoutSessions.complete, {
    id: session.id,
    test_card: 'sca_always',
  })
  assert.equal([completed.status, completed.payment_status], ['complete', 'no_payment_required'])
  assert.equal(await readPayment(sandbox, session), [1, 'canceled', 'superseded', 1, []])
})

test('when credit pays the session, another card rejected by 3-D Secure leaves the earlier payment canceled', async () => {
  const sandbox = createSandbox()
  const session = await submitBeforeCredit(sandbox)
  const { code, details } = await catchDomainError(
    sandbox.call(api.checkoutSessions.complete, {
      id: session.id,
      test_card: 'sca_always',
      three_d_secure: 'reject',
    }),
  )
  assert.equal([code, details.payment ?? null], ['authentication_failed', null])
  assert.equal(await readPayment(sandbox, session), [1, 'canceled', 'superseded', 1, []])
})

test('when credit pays the session, approving 3-D Secure cancels the payment once', async () => {
  const sandbox = createSandbox()
  const session = await submitBeforeCredit(sandbox)
  await sandbox.answer(session.id, true)
  const completed = await sandbox.call(api.checkoutSessions.retrieve, { id: session.id })
  assert.equal([completed.status, completed.payment_status], ['complete', 'no_payment_required'])
  assert.equal(await readPayment(sandbox, session), [1, 'canceled', 'amount_changed', 1, []])
})

test.run()

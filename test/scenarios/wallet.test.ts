import { api } from '../../src/api/api.ts'
import type { CheckoutSession } from '../../src/domain/sessions/checkout-sessions.ts'
import type { PaymentSession } from '../../src/domain/sessions/payment-sessions.ts'
import { HostedPages, pathOf } from '../pages/hosted-pages.ts'
import { toNextPeriod } from '../support/billing.ts'
import { testLifecycle } from '../support/lifecycle.ts'
import { newCardSession, newCheckout, newCustomer, newPaymentSession, RENT } from '../support/samples.ts'
import { CHECKOUT_URL, createSandbox, DAY, type Sandbox, START } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('scenarios/wallet')

type Subject = CheckoutSession | PaymentSession

const TYPES = { payment_method_types: ['card', 'wallet'] } as const
const FREE = [{ ...RENT, price_data: { amount: 0 } }]
const BY_INVOICE = { collection_method: 'send_invoice' } as const

/**
 * Events of each kind of session by decision; abbreviations as in checkout-session-lifecycle. `cancel` posts the form of
 * the wallet sheet. A session that requires no card ignores the wallet.
 */
const TABLE = `
  payment    approve → complete paid
      py.created py.succeeded py_sess.completed
      leaves py:succeeded
  payment,saving,past  decline → open unpaid ! card_declined generic_decline
      py.created py.failed
      leaves py:failed
  payment,saving,card_only,past,future,free,sent  cancel  → same

  saving     approve → complete paid
      pm.attached cus.updated py.created py.succeeded py_sess.completed
      leaves pm py:succeeded

  card_only  approve,decline → same ! payment_method_type_unsupported

  past       approve → complete paid
      pm.attached cus.updated sub.created in.created in.finalized py.created py.succeeded in.paid cks.completed
      leaves pm sub:active in:paid py:succeeded

  future     approve → complete no_payment_required
      pm.attached cus.updated sub.created cks.completed
      leaves pm sub:pending
  future,free  decline → same ! card_declined generic_decline

  free       approve → complete no_payment_required
      pm.attached cus.updated sub.created in.created in.finalized in.paid cks.completed
      leaves pm sub:active in:paid

  sent       approve,decline → complete unpaid
      sub.created in.created in.finalized in.sent cks.completed
      leaves sub:active in:open timer
`

const retrieve = (sandbox: Sandbox, { object, id }: Subject) =>
  object === 'payment_session'
    ? sandbox.call(api.paymentSessions.retrieve, { id })
    : sandbox.call(api.checkoutSessions.retrieve, { id })

const pays =
  (test_card: string) =>
  (sandbox: Sandbox, { object, id }: Subject): Promise<unknown> =>
    object === 'payment_session'
      ? sandbox.call(api.paymentSessions.complete, { id, test_card })
      : sandbox.call(api.checkoutSessions.complete, { id, test_card })

testLifecycle<Subject>(test, {
  table: TABLE,
  states: {
    payment: (sandbox) => newPaymentSession(sandbox, TYPES),
    saving: (sandbox) => newPaymentSession(sandbox, { ...TYPES, save_payment_method: true }),
    card_only: (sandbox) => newPaymentSession(sandbox),
    past: (sandbox) => newCheckout(sandbox, { start_date: START - 40 * DAY }, TYPES),
    future: (sandbox) => newCheckout(sandbox, { start_date: START + 1 }, TYPES),
    free: (sandbox) => newCheckout(sandbox, { items: FREE }, TYPES),
    sent: (sandbox) => newCheckout(sandbox, BY_INVOICE, TYPES),
  },
  triggers: {
    approve: pays('wallet'),
    decline: pays('wallet_declined'),
    cancel: (sandbox, session) =>
      new HostedPages(CHECKOUT_URL, sandbox.runtime).post(`${pathOf(session)}/wallet`, { answer: 'cancel' }),
  },
  stateOf: async (sandbox, session) => {
    const { status, payment_status } = await retrieve(sandbox, session)
    return `${status} ${payment_status}`
  },
})

test('renewals charge the card that was saved with the wallet', async () => {
  const sandbox = createSandbox()
  const { id, customer } = await newCheckout(sandbox, {}, TYPES)
  const { subscription, payment_method } = await sandbox.call(api.checkoutSessions.complete, {
    ...{ id, test_card: 'wallet' },
  })
  const saved = await sandbox.call(api.paymentMethods.retrieve, { id: payment_method ?? '' })
  assert.equal(saved.card?.wallet, { type: 'test_wallet' })
  await toNextPeriod(sandbox, subscription ?? '')
  const { data } = await sandbox.call(api.payments.list, { customer })
  const [renewal] = data.filter(({ off_session }) => off_session)
  assert.is(renewal?.status, 'succeeded')
  assert.is(renewal?.payment_method, payment_method)
  assert.equal(renewal?.payment_method_details.card?.wallet, { type: 'test_wallet' })
})

test('a payment with a card instead of the wallet has wallet null', async () => {
  const sandbox = createSandbox()
  const { id } = await newPaymentSession(sandbox, TYPES)
  const { payment } = await sandbox.call(api.paymentSessions.complete, { id, test_card: 'visa' })
  const { payment_method_details } = await sandbox.call(api.payments.retrieve, { id: payment ?? '' })
  assert.is(payment_method_details.card?.wallet, null)
})

test('a card session and pay_as_customer reject the wallet', async () => {
  const sandbox = createSandbox()
  const { id } = await newCardSession(sandbox, { customer: (await newCustomer(sandbox)).id })
  for (const call of [
    sandbox.call(api.cardSessions.complete, { id, test_card: 'wallet' }),
    sandbox.call(api.invoices.payAsCustomer, { id: 'in_1', test_card: 'wallet' }),
  ]) {
    const error = await call.catch((one: { readonly code: string }) => one.code)
    assert.is(error, 'parameter_invalid_enum')
  }
})

test.run()

import { api } from '../../src/api/api.ts'
import { SLOW_CARD_SECONDS } from '../../src/domain/cards/test-cards.ts'
import { after, testLifecycle } from '../support/lifecycle.ts'
import { CARDS, newCheckout, newPaymentSession } from '../support/samples.ts'
import { catchDomainError, createSandbox, type Sandbox, typed } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('scenarios/payment-lifecycle')

interface Subject {
  readonly id: string
  readonly session: string
  readonly customer: string
  readonly expires_at: number
}

/**
 * The first payment of a session and all related events. `requires_action_broke` is a payment whose
 * issuer declines after 3-D Secure. `processing` lasts the three seconds of `issuer`; any
 * other issuer decides in the same transaction.
 */
const TABLE = `
  processing             approve,reject,visa,declined,expire → same
  processing             issuer,time → succeeded
      py.succeeded py_sess.completed
      leaves py:succeeded
  processing             no_customer → same ! payment_processing
  processing,succeeded,failed,canceled  cancel      → same ! payment_unexpected_state

  requires_action        approve     → succeeded authenticated
      py.succeeded py_sess.completed
      leaves py:succeeded
  requires_action,requires_action_broke  reject      → failed failed
      py.failed
      leaves py:failed
  requires_action,requires_action_broke  visa        → canceled - superseded
      py.canceled py.created py.succeeded py_sess.completed
      leaves py:canceled py:succeeded
  requires_action,requires_action_broke  declined    → canceled - superseded
      py.canceled py.created py.failed
      leaves py:canceled py:failed
  requires_action,requires_action_broke  cancel      → canceled - requested
      py.canceled
      leaves py:canceled
  requires_action,requires_action_broke  expire,time → canceled - session_expired
      py.canceled py_sess.expired
      leaves py:canceled
  requires_action,requires_action_broke  issuer      → same
  requires_action,requires_action_broke  no_customer → canceled - customer_deleted
      py.canceled py_sess.expired cus.deleted
      leaves py:canceled

  requires_action_broke  approve     → failed authenticated
      py.failed
      leaves py:failed

  succeeded              no_customer → succeeded
      cus.deleted
      leaves py:succeeded
  succeeded,canceled     approve,reject,visa,declined,expire,issuer,time → same

  failed                 approve,reject,issuer → same
  failed                 visa        → failed
      py.created py.succeeded py_sess.completed
      leaves py:failed py:succeeded
  failed                 declined    → failed
      py.created py.failed
      leaves py:failed py:failed
  failed                 expire,time → failed
      py_sess.expired
      leaves py:failed
  failed                 no_customer → failed
      py_sess.expired cus.deleted
      leaves py:failed

  canceled               no_customer → canceled - session_expired
      cus.deleted
      leaves py:canceled
`

async function firstPayment(sandbox: Sandbox, number: string): Promise<Subject> {
  const { id: session, customer, expires_at } = await newPaymentSession(sandbox)
  await ignoreErrors(sandbox.submit(session, typed(number)))
  const { data } = await sandbox.call(api.payments.list, { payment_session: session })
  assert.is(data.length, 1)
  return { id: data[0]?.id ?? '', session, customer, expires_at }
}

// Errors are ignored, because this table tests the payment. The session lifecycles test the responses.
async function ignoreErrors(work: Promise<unknown>): Promise<void> {
  await work.catch(async () => catchDomainError(work))
}

const waiting = (sandbox: Sandbox) => firstPayment(sandbox, CARDS.sca)

testLifecycle<Subject>(test, {
  table: TABLE,
  states: {
    processing: (sandbox) => firstPayment(sandbox, CARDS.slow),
    requires_action: waiting,
    requires_action_broke: (sandbox) => firstPayment(sandbox, CARDS.sca_broke),
    succeeded: (sandbox) => firstPayment(sandbox, CARDS.visa),
    failed: (sandbox) => firstPayment(sandbox, CARDS.declined),
    canceled: after(waiting, (sandbox, { session: id }) => sandbox.call(api.paymentSessions.expire, { id })),
  },
  triggers: {
    approve: (sandbox, { session }) => ignoreErrors(sandbox.answer(session, true)),
    reject: (sandbox, { session }) => ignoreErrors(sandbox.answer(session, false)),
    visa: (sandbox, { session }) => ignoreErrors(sandbox.submit(session, typed(CARDS.visa))),
    declined: (sandbox, { session }) => ignoreErrors(sandbox.submit(session, typed(CARDS.declined))),
    expire: (sandbox, { session }) => ignoreErrors(sandbox.call(api.paymentSessions.expire, { id: session })),
    cancel: (sandbox, { id }) => sandbox.call(api.payments.cancel, { id }),
    issuer: (sandbox) => sandbox.advance(SLOW_CARD_SECONDS),
    time: (sandbox, { expires_at }) => sandbox.moveTo(expires_at),
    no_customer: (sandbox, { customer }) => sandbox.call(api.customers.delete, { id: customer }),
  },
  stateOf: async (sandbox, { id }) => {
    const { status, payment_method_details, canceled_reason } = await sandbox.call(api.payments.retrieve, {
      id,
    })
    const three_d_secure = payment_method_details.card?.three_d_secure
    return [status, three_d_secure ?? (canceled_reason ? '-' : ''), canceled_reason ?? ''].join(' ').trim()
  },
})

test('a payment with 3-D Secure is linked to its invoice and card when it succeeds', async () => {
  const sandbox = createSandbox()
  const session = await newCheckout(sandbox)
  await sandbox.submit(session.id, typed(CARDS.sca))
  const { data } = await sandbox.call(api.payments.list, { checkout_session: session.id })
  assert.equal([data[0]?.invoice, data[0]?.payment_method], [null, null])
  await sandbox.answer(session.id, true)
  const { invoice, payment, payment_method } = await sandbox.call(api.checkoutSessions.retrieve, {
    id: session.id,
  })
  const paid = await sandbox.call(api.payments.retrieve, { id: payment ?? '' })
  assert.equal(
    [paid.invoice, paid.payment_method, paid.checkout_session],
    [invoice, payment_method, session.id],
  )
})

test.run()

import { api } from '../../src/api/api.ts'
import { after, testLifecycle } from '../support/lifecycle.ts'
import { newCustomer } from '../support/samples.ts'
import { DAY, type Sandbox } from '../support/sandbox.ts'
import { suite } from '../support/suite.ts'

const test = suite('scenarios/debit-lifecycle')

interface Subject {
  readonly customer: string
}

type Step = (sandbox: Sandbox, subject: Subject) => Promise<unknown>

const TYPES = { payment_method_types: ['card', 'sepa_debit'] } as const

/** Pays 10.00 EUR in a payment session that saves the account. */
const paySession = (test_card: string) => async (sandbox: Sandbox) => {
  const { id: customer } = await newCustomer(sandbox)
  const { id } = await sandbox.call(api.paymentSessions.create, {
    ...{ customer, amount: 1000, currency: 'eur', save_payment_method: true, ...TYPES },
  })
  await sandbox.call(api.paymentSessions.complete, { id, test_card })
  return { customer }
}

/** Debits 10.00 EUR from an account that a payment session saved. */
const chargeAccount = (test_card: string) =>
  after<Subject>(paySession(test_card), outcome, (sandbox, { customer }) =>
    sandbox.call(api.payments.create, { customer, amount: 1000, currency: 'eur' }),
  )

function outcome(sandbox: Sandbox): Promise<void> {
  return sandbox.advance(3 * DAY)
}

const paymentsOf = async (sandbox: Sandbox, { customer }: Subject) =>
  (await sandbox.call(api.payments.list, { customer })).data

const onPayment =
  (run: (sandbox: Sandbox, id: string) => Promise<unknown>): Step =>
  async (sandbox, subject) =>
    run(sandbox, (await paymentsOf(sandbox, subject))[0]?.id ?? '')

const refund = onPayment((sandbox, payment) => sandbox.call(api.refunds.create, { payment }))

const noCustomer: Step = (sandbox, { customer }) => sandbox.call(api.customers.delete, { id: customer })

const detach: Step = async (sandbox, { customer }) => {
  const { data } = await sandbox.call(api.paymentMethods.listOfCustomer, { id: customer })
  await sandbox.call(api.paymentMethods.detach, { id: data[0]?.id ?? 'pm_none' })
}

/**
 * Debits of 10.00 EUR that a payment session or the API submits; their outcome comes after three days, or seven for
 * `sent_slow`. The refunded and the disputed amount follow the status of the payment, and the status of its session is
 * last.
 */
const TABLE = `
  sent,sent_slow,sent_bad,sent_risky,paid,returned,refunding,api,api_bad  early  → same
  sent  outcome  → succeeded complete/paid
      py.succeeded py_sess.payment_succeeded
      leaves pm py:succeeded
  sent,sent_slow  week  → succeeded complete/paid
      py.succeeded py_sess.payment_succeeded
      leaves pm py:succeeded
  sent,sent_slow,sent_bad,sent_risky,paid,returned,refunding,api,api_bad  again  → same ! payment_session_unexpected_state
  sent,sent_slow,sent_bad,sent_risky,returned,api,api_bad  refund  → same ! payment_not_refundable
  sent,sent_slow,sent_bad,sent_risky,paid,returned,refunding,api,api_bad  cancel,capture  → same ! payment_unexpected_state
  sent,sent_slow,sent_bad,sent_risky,returned,api,api_bad  dispute  → same ! payment_unexpected_state
  sent,sent_slow,sent_bad,sent_risky  detach  → processing complete/unpaid
      pm.detached cus.updated
      leaves pm:detached py:processing
  sent,sent_slow,sent_bad,sent_risky  no_customer  → processing complete/unpaid
      pm.detached cus.deleted
      leaves pm:detached py:processing
  sent_slow,paid,returned  outcome  → same
  sent_bad  outcome,week  → failed insufficient_funds complete/unpaid
      py.failed py_sess.payment_failed
      leaves pm py:failed
  sent_risky  outcome,week  → succeeded 0-1000 complete/paid
      py.succeeded py_sess.payment_succeeded py.updated dp.created dp.funds_withdrawn
      leaves pm py:succeeded dp:needs_response
  paid,returned  week  → same
  paid  refund  → succeeded 1000-0 complete/paid
      re.created py.refunded
      leaves pm py:succeeded re:pending timer
  paid  dispute  → succeeded 0-1000 complete/paid
      py.updated dp.created dp.funds_withdrawn
      leaves pm py:succeeded dp:needs_response
  paid  detach  → succeeded complete/paid
      pm.detached cus.updated
      leaves pm:detached py:succeeded
  paid  no_customer  → succeeded complete/paid
      pm.detached cus.deleted
      leaves pm:detached py:succeeded
  returned  detach  → failed insufficient_funds complete/unpaid
      pm.detached cus.updated
      leaves pm:detached py:failed
  returned  no_customer  → failed insufficient_funds complete/unpaid
      pm.detached cus.deleted
      leaves pm:detached py:failed
  refunding  outcome,week  → succeeded 1000-0 complete/paid
      re.updated
      leaves pm py:succeeded re:succeeded
  refunding  refund,dispute  → same ! payment_already_refunded
  refunding  detach  → succeeded 1000-0 complete/paid
      pm.detached cus.updated
      leaves pm:detached py:succeeded re:pending timer
  refunding  no_customer  → succeeded 1000-0 complete/paid
      pm.detached cus.deleted
      leaves pm:detached py:succeeded re:pending timer
  api  outcome,week  → succeeded
      py.succeeded
      leaves pm py:succeeded py:succeeded
  api  detach  → processing
      pm.detached cus.updated
      leaves pm:detached py:processing py:succeeded
  api  no_customer  → processing
      pm.detached cus.deleted
      leaves pm:detached py:processing py:succeeded
  api_bad  outcome,week  → failed insufficient_funds
      py.failed
      leaves pm py:failed py:failed
  api_bad  detach  → processing
      pm.detached cus.updated
      leaves pm:detached py:failed py:processing
  api_bad  no_customer  → processing
      pm.detached cus.deleted
      leaves pm:detached py:failed py:processing
`

testLifecycle<Subject>(test, {
  table: TABLE,
  states: {
    sent: paySession('sepa_debit'),
    sent_slow: paySession('sepa_debit_slow'),
    sent_bad: paySession('sepa_debit_fails'),
    sent_risky: paySession('sepa_debit_disputed'),
    paid: after(paySession('sepa_debit'), outcome),
    returned: after(paySession('sepa_debit_fails'), outcome),
    refunding: after(paySession('sepa_debit'), outcome, refund),
    api: chargeAccount('sepa_debit'),
    api_bad: chargeAccount('sepa_debit_fails'),
  },
  triggers: {
    early: (sandbox) => sandbox.advance(3 * DAY - 1),
    outcome,
    week: (sandbox) => sandbox.advance(7 * DAY),
    again: async (sandbox, subject) => {
      const id = (await paymentsOf(sandbox, subject)).at(-1)?.payment_session ?? ''
      await sandbox.call(api.paymentSessions.complete, { id, test_card: 'visa' })
    },
    refund,
    cancel: onPayment((sandbox, id) => sandbox.call(api.payments.cancel, { id })),
    capture: onPayment((sandbox, id) => sandbox.call(api.payments.capture, { id })),
    dispute: onPayment((sandbox, id) => sandbox.call(api.payments.dispute, { id, reason: 'general' })),
    detach,
    no_customer: noCustomer,
  },
  stateOf: async (sandbox, subject) => {
    const [payment] = await paymentsOf(sandbox, subject)
    const { status, payment_session, amount_refunded, amount_disputed, decline_code } = payment ?? {}
    const amounts = `${amount_refunded}-${amount_disputed}`
    const session = payment_session
      ? await sandbox.call(api.paymentSessions.retrieve, { id: payment_session })
      : null
    const of = session === null ? '' : `${session.status}/${session.payment_status}`
    return [status, amounts === '0-0' ? '' : amounts, decline_code ?? '', of].filter(Boolean).join(' ')
  },
})

test.run()

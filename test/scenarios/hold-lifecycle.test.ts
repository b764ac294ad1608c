import { api } from '../../src/api/api.ts'
import { newCustomerWithCard } from '../support/billing.ts'
import { after, testLifecycle } from '../support/lifecycle.ts'
import { newCustomer } from '../support/samples.ts'
import { DAY, type Sandbox, typed } from '../support/sandbox.ts'
import { suite } from '../support/suite.ts'

const test = suite('scenarios/hold-lifecycle')

interface Subject {
  readonly customer: string
  /** The id of the session; null for an API payment. */
  readonly session: string | null
}

/**
 * An amount that is reserved: the status of the payment, its captured and capturable amounts, and the status of its
 * session. `broken` is a reservation whose capture the issuer declines.
 */
const TABLE = `
  open      pay         → requires_capture 0+4500 complete/unpaid
      pm.attached cus.updated py.created py.authorized py_sess.completed
      leaves pm py:requires_capture
  open      approve,capture,part,more,cancel,refund,refund_more → same ! resource_missing
  open      early,late  → - expired/unpaid
      py_sess.expired
      leaves nothing
  open      no_customer → - expired/unpaid
      py_sess.expired cus.deleted
      leaves nothing

  waiting   pay         → requires_capture 0+4500 complete/unpaid
      py.canceled pm.attached cus.updated py.created py.authorized py_sess.completed
      leaves pm py:canceled py:requires_capture
  waiting   approve     → requires_capture 0+4500 complete/unpaid
      pm.attached cus.updated py.authorized py_sess.completed
      leaves pm py:requires_capture
  waiting   capture,part,more → same ! payment_unexpected_state
  waiting   cancel      → canceled 0+0 requested open/unpaid
      py.canceled
      leaves py:canceled
  waiting   early,late  → canceled 0+0 session_expired expired/unpaid
      py.canceled py_sess.expired
      leaves py:canceled
  waiting   no_customer → canceled 0+0 customer_deleted expired/unpaid
      py.canceled py_sess.expired cus.deleted
      leaves py:canceled

  held      capture     → succeeded 4500+0 complete/paid
      py.succeeded py_sess.updated
      leaves pm py:succeeded
  held      part        → succeeded 3000+0 complete/paid
      py.succeeded py_sess.updated
      leaves pm py:succeeded
  held      cancel      → canceled 0+0 requested complete/unpaid
      py.canceled
      leaves pm py:canceled
  held      late        → canceled 0+0 expired complete/unpaid
      py.canceled
      leaves pm py:canceled
  held      no_customer → requires_capture 0+4500 complete/unpaid
      pm.detached cus.deleted
      leaves pm:detached py:requires_capture

  held_api  capture     → succeeded 4500+0
      py.succeeded
      leaves pm py:succeeded
  held_api  part        → succeeded 3000+0
      py.succeeded
      leaves pm py:succeeded
  broken    capture,part → same ! card_declined generic_decline
  held_api,broken  cancel → canceled 0+0 requested
      py.canceled
      leaves pm py:canceled
  held_api,broken  late → canceled 0+0 expired
      py.canceled
      leaves pm py:canceled
  held_api,broken  no_customer → requires_capture 0+4500
      pm.detached cus.deleted
      leaves pm:detached py:requires_capture
  held_api,broken  pay  → same ! resource_missing
  held,held_api,broken  more  → same ! amount_too_large
  held,held_api,broken  early → same

  captured  refund      → succeeded 3000+0 complete/paid
      re.created py.refunded
      leaves pm py:succeeded re:succeeded
  captured  refund_more → same ! refund_amount_too_large
  captured  no_customer → succeeded 3000+0 complete/paid
      pm.detached cus.deleted
      leaves pm:detached py:succeeded
  released  no_customer → canceled 0+0 requested complete/unpaid
      pm.detached cus.deleted
      leaves pm:detached py:canceled
  expired   no_customer → canceled 0+0 expired complete/unpaid
      pm.detached cus.deleted
      leaves pm:detached py:canceled
  captured,released,expired  early,late → same
  captured,released,expired  capture,part,more,cancel → same ! payment_unexpected_state

  held,held_api,broken,captured,released,expired  approve → same ! payment_unexpected_state
  held,captured,released,expired  pay → same ! payment_session_unexpected_state
  waiting,held,held_api,broken,released,expired  refund,refund_more → same ! payment_not_refundable
`

/** Opens a session that reserves 45.00 EUR and saves the card. */
async function open(sandbox: Sandbox): Promise<Subject> {
  const { id: customer } = await newCustomer(sandbox)
  const terms = {
    amount: 4500,
    currency: 'eur',
    capture_method: 'manual',
    save_payment_method: true,
  } as const
  const { id } = await sandbox.call(api.paymentSessions.create, { customer, ...terms })
  return { customer, session: id }
}

/** Returns a function that reserves 45.00 EUR on a saved card. */
const reserve = (alias: string) => async (sandbox: Sandbox) => {
  const { customer } = await newCustomerWithCard(sandbox, alias)
  await sandbox.call(api.payments.create, {
    customer,
    amount: 4500,
    currency: 'eur',
    capture_method: 'manual',
  })
  return { customer, session: null }
}

const complete = (test_card: string) => (sandbox: Sandbox, subject: Subject) =>
  sandbox.call(api.paymentSessions.complete, { id: subject.session ?? 'py_sess_none', test_card })

async function paymentOf(sandbox: Sandbox, { customer }: Subject) {
  return (await sandbox.call(api.payments.list, { customer })).data[0]
}

const act =
  (run: (sandbox: Sandbox, id: string) => Promise<unknown>) => async (sandbox: Sandbox, subject: Subject) =>
    run(sandbox, (await paymentOf(sandbox, subject))?.id ?? 'py_none')

const capture = (amount?: number) =>
  act((sandbox, id) => sandbox.call(api.payments.capture, { id, ...(amount && { amount }) }))
const cancel = act((sandbox, id) => sandbox.call(api.payments.cancel, { id }))
const late = (sandbox: Sandbox) => sandbox.advance(7 * DAY)
const held = after(open, complete('visa'))

testLifecycle<Subject>(test, {
  table: TABLE,
  states: {
    open,
    waiting: after(open, (sandbox, { session }) => sandbox.submit(session ?? '', typed('4000002760003184'))),
    held,
    held_api: reserve('visa'),
    broken: reserve('capture_fails'),
    captured: after(held, capture(3000)),
    released: after(held, cancel),
    expired: after(held, late),
  },
  triggers: {
    pay: complete('visa'),
    approve: act((sandbox, id) => sandbox.call(api.payments.authenticate, { id })),
    capture: capture(),
    part: capture(3000),
    more: capture(4501),
    cancel,
    refund: act((sandbox, payment) => sandbox.call(api.refunds.create, { payment })),
    refund_more: act((sandbox, payment) => sandbox.call(api.refunds.create, { payment, amount: 3001 })),
    early: (sandbox) => sandbox.advance(7 * DAY - 1),
    late,
    no_customer: (sandbox, { customer }) => sandbox.call(api.customers.delete, { id: customer }),
  },
  stateOf: async (sandbox, subject) => {
    const { session } = subject
    const payment = await paymentOf(sandbox, subject)
    const { status, amount_capturable, amount_captured, canceled_reason } = payment ?? {}
    const of = session === null ? null : await sandbox.call(api.paymentSessions.retrieve, { id: session })
    const state = payment ? [status, `${amount_captured}+${amount_capturable}`, canceled_reason ?? ''] : ['-']
    return [...state, of === null ? '' : `${of.status}/${of.payment_status}`].filter(Boolean).join(' ')
  },
})

test.run()

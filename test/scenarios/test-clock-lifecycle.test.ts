import { api } from '../../src/api/api.ts'
import { getPeriodStart } from '../../src/domain/time/periods.ts'
import { subscribe } from '../support/billing.ts'
import {
  advanceClockTo,
  breakDuringAdvance,
  createCustomerOn,
  interruptAdvance,
  interruptDeletion,
  newCustomerOnClock,
} from '../support/clocks.ts'
import { after, testLifecycle } from '../support/lifecycle.ts'
import { CARDS, newCheckout, newPaymentSession } from '../support/samples.ts'
import { DAY, type Sandbox, START, typed } from '../support/sandbox.ts'
import { suite } from '../support/suite.ts'

const test = suite('scenarios/test-clock-lifecycle')

interface Subject {
  readonly id: string
  readonly customer: string
  /** An open payment session. The objects below belong to a completed checkout session. */
  readonly session: string
  readonly subscription: string
  readonly invoice: string
  readonly payment: string
  readonly card: string
}

/**
 * A test clock with a subscribed customer, and the allowed actions. `advancing` advances forty days,
 * `broken` failed at the renewal during that advance, and for `deleting` the process stopped before the first deletion.
 * The status is followed by the days that the clock has advanced.
 */
const TABLE = `
  ready      day         → ready +1d
      clock.advancing clock.ready
      leaves pm sub:active in:paid py:succeeded
  ready      month       → ready +31d
      clock.advancing sub.renewed in.created in.finalized py.created py.succeeded in.paid clock.ready
      leaves pm sub:active in:paid in:paid py:succeeded py:succeeded
  ready      nowhere,back → same ! test_clock_not_forward
  ready      too_far     → same ! test_clock_too_far
  ready      customer    → ready +0d
      cus.created
      leaves pm sub:active in:paid py:succeeded
  ready      rename      → ready +0d
      cus.updated
      leaves pm sub:active in:paid py:succeeded
  ready      no_customer → ready +0d
      py_sess.expired sub.canceled pm.detached cus.deleted
      leaves pm:detached sub:canceled in:paid py:succeeded
  ready      session     → ready +0d
      cks.created
      leaves pm sub:active in:paid py:succeeded
  ready      submit      → ready +0d
      py.created py.succeeded py_sess.completed
      leaves pm sub:active in:paid py:succeeded py:succeeded
  ready      expire      → ready +0d
      py_sess.expired
      leaves pm sub:active in:paid py:succeeded
  ready      cancel      → ready +0d
      sub.canceled
      leaves pm sub:canceled in:paid py:succeeded
  ready      end         → ready +0d
      sub.updated
      leaves pm sub:active in:paid py:succeeded
  ready      void        → same ! invoice_unexpected_state
  ready      refund      → ready +0d
      re.created py.refunded
      leaves pm sub:active in:paid py:succeeded re:succeeded
  ready      detach      → ready +0d
      pm.detached cus.updated sub.updated
      leaves pm:detached sub:active in:paid py:succeeded
  ready,broken  delete      → deleted
      clock.deleting py_sess.expired sub.canceled pm.detached cus.deleted clock.deleted
      leaves pm:detached sub:canceled in:paid py:succeeded
  ready,advancing,broken,deleting  real_time,retrieve,read → same
  ready,advancing,broken,deleting,deleted  millis      → same ! timestamp_invalid
  ready,advancing,broken,deleting,deleted  both        → same ! parameters_exclusive
  ready,advancing,broken,deleting,deleted  neither     → same ! parameter_missing

  advancing  day,month,nowhere,back,too_far,delete,customer,rename,no_customer,session,submit,expire → same ! test_clock_advancing
  advancing  cancel,end,void,refund,detach → same ! test_clock_advancing

  broken     day,month,nowhere,back,too_far,customer,rename,no_customer,session,submit,expire,cancel → same ! test_clock_failed
  broken     end,void,refund,detach → same ! test_clock_failed

  deleting   day,month,nowhere,back,too_far,customer,rename,no_customer,session,submit,expire,cancel → same ! test_clock_deleted
  deleting   end,void,refund,detach → same ! test_clock_deleted
  deleting   delete      → deleted
      py_sess.expired sub.canceled pm.detached cus.deleted clock.deleted
      leaves pm:detached sub:canceled in:paid py:succeeded

  deleted    day,month,nowhere,back,too_far,delete,retrieve,no_customer,session → same ! resource_missing
  deleted    real_time,read → same
  deleted    customer,submit,expire,cancel,void,refund,detach → same ! test_clock_deleted
  deleted    rename      → same ! customer_deleted
  deleted    end         → same ! subscription_unexpected_state
`

const TEN_YEARS = getPeriodStart({ anchor: START, interval: 'year', interval_count: 10 }, 1)

async function onClock(sandbox: Sandbox): Promise<Subject> {
  const { clock: id, customer } = await newCustomerOnClock(sandbox)
  const { id: session } = await newPaymentSession(sandbox, { customer, expires_at: START + 60 * DAY })
  const { id: subscription, ...made } = await subscribe(sandbox, { customer })
  const { latest_invoice, default_payment_method } = made
  const invoice = latest_invoice ?? ''
  const { data } = await sandbox.call(api.payments.list, { invoice })
  const payment = data[0]?.id ?? ''
  return { id, customer, session, subscription, invoice, payment, card: default_payment_method ?? '' }
}

const to =
  (frozen_time: number) =>
  (sandbox: Sandbox, { id }: Subject): Promise<unknown> =>
    advanceClockTo(sandbox, id, frozen_time)

testLifecycle<Subject>(test, {
  table: TABLE,
  states: {
    ready: onClock,
    advancing: after(onClock, (sandbox, { id }) => interruptAdvance(sandbox, id, START + 40 * DAY)),
    broken: after(onClock, (sandbox, { id }) => breakDuringAdvance(sandbox, id, START + 40 * DAY)),
    deleting: after(onClock, (sandbox, { id }) => interruptDeletion(sandbox, id)),
    deleted: after(onClock, (sandbox, { id }) => sandbox.call(api.testClocks.delete, { id })),
  },
  triggers: {
    day: to(START + DAY),
    month: (sandbox, { id }) =>
      sandbox.call(api.testClocks.advance, { id, by: { interval: 'month', count: 1 } }),
    nowhere: to(START),
    back: to(START - 1),
    too_far: to(TEN_YEARS + 1),
    millis: to(START * 1000),
    both: (sandbox, { id }) =>
      sandbox.call(api.testClocks.advance, {
        id,
        frozen_time: START + DAY,
        by: { interval: 'day', count: 1 },
      }),
    neither: (sandbox, { id }) => sandbox.call(api.testClocks.advance, { id }),
    real_time: (sandbox) => sandbox.advance(60 * DAY),
    delete: (sandbox, { id }) => sandbox.call(api.testClocks.delete, { id }),
    retrieve: (sandbox, { id }) => sandbox.call(api.testClocks.retrieve, { id }),
    customer: (sandbox, { id }) => createCustomerOn(sandbox, id),
    rename: (sandbox, { customer }) => sandbox.call(api.customers.update, { id: customer, name: 'Ada' }),
    no_customer: (sandbox, { customer }) => sandbox.call(api.customers.delete, { id: customer }),
    session: (sandbox, { customer }) => newCheckout(sandbox, {}, { customer }),
    submit: (sandbox, { session }) => sandbox.submit(session, typed(CARDS.visa)),
    expire: (sandbox, { session }) => sandbox.call(api.paymentSessions.expire, { id: session }),
    cancel: (sandbox, { subscription }) => sandbox.call(api.subscriptions.cancel, { id: subscription }),
    end: (sandbox, { subscription }) =>
      sandbox.call(api.subscriptions.update, { id: subscription, cancel_at_period_end: true }),
    void: (sandbox, { invoice }) => sandbox.call(api.invoices.void, { id: invoice }),
    refund: (sandbox, { payment }) => sandbox.call(api.refunds.create, { payment }),
    detach: (sandbox, { card }) => sandbox.call(api.paymentMethods.detach, { id: card }),
    read: (sandbox, { subscription }) => sandbox.call(api.subscriptions.retrieve, { id: subscription }),
  },
  stateOf: async (sandbox, { id }) => {
    const clock = await sandbox.store.get('test_clocks', id)
    if (clock === null || 'deleted' in clock) return 'deleted'
    return `${clock.status} +${(clock.frozen_time - START) / DAY}d`
  },
})

test.run()

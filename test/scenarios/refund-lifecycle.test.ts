import { api } from '../../src/api/api.ts'
import { findCardByAlias } from '../../src/domain/cards/test-cards.ts'
import { after, testLifecycle } from '../support/lifecycle.ts'
import { newPaymentSession } from '../support/samples.ts'
import { catchDomainError, type Sandbox, typed } from '../support/sandbox.ts'
import { suite } from '../support/suite.ts'

const test = suite('scenarios/refund-lifecycle')

interface Subject {
  /** A payment of 10.00 EUR. */
  readonly id: string
  readonly customer: string
}

/**
 * Refunds of a payment with cards whose refunds succeed immediately, succeed after an hour, or fail after an hour.
 * `…_part` has a pending refund of 4.00, and `…_settled` is an hour later. `six` refunds 6.00, `more` 6.01, `too_much`
 * 10.01. The status of the payment is followed by its refunded amount.
 */
const TABLE = `
  paid           part        → succeeded 400
      re.created py.refunded
      leaves py:succeeded re:succeeded
  paid           rest        → succeeded 1000 refunded
      re.created py.refunded
      leaves py:succeeded re:succeeded
  paid           six         → succeeded 600
      re.created py.refunded
      leaves py:succeeded re:succeeded
  paid           more        → succeeded 601
      re.created py.refunded
      leaves py:succeeded re:succeeded
  paid,later,fails  no_customer → succeeded 0
      cus.deleted
      leaves py:succeeded
  paid,later,fails,fails_settled  too_much    → same ! refund_amount_too_large
  paid,part,whole,later,later_settled,fails,fails_settled,failed,waiting  hour,second_less → same
  paid,part,whole,later,later_part,later_settled,fails,fails_part,fails_settled,failed,waiting  nothing     → same ! amount_too_small

  part           part        → succeeded 800
      re.created py.refunded
      leaves py:succeeded re:succeeded re:succeeded
  part           rest,six    → succeeded 1000 refunded
      re.created py.refunded
      leaves py:succeeded re:succeeded re:succeeded
  part,later_settled  no_customer → succeeded 400
      cus.deleted
      leaves py:succeeded re:succeeded
  part,later_part,later_settled,fails_part  more,too_much → same ! refund_amount_too_large

  whole          part,rest,six,more,too_much → same ! payment_already_refunded
  whole          no_customer → succeeded 1000 refunded
      cus.deleted
      leaves py:succeeded re:succeeded

  later          part        → succeeded 400
      re.created py.refunded
      leaves py:succeeded re:pending timer
  later          rest        → succeeded 1000 refunded
      re.created py.refunded
      leaves py:succeeded re:pending timer
  later          six         → succeeded 600
      re.created py.refunded
      leaves py:succeeded re:pending timer
  later          more        → succeeded 601
      re.created py.refunded
      leaves py:succeeded re:pending timer

  later_part     part        → succeeded 800
      re.created py.refunded
      leaves py:succeeded re:pending re:pending timer timer
  later_part     rest,six    → succeeded 1000 refunded
      re.created py.refunded
      leaves py:succeeded re:pending re:pending timer timer
  later_part     hour        → succeeded 400
      re.updated
      leaves py:succeeded re:succeeded
  later_part     no_customer → succeeded 400
      cus.deleted
      leaves py:succeeded re:pending timer
  later_part,fails_part  second_less → same

  later_settled  part        → succeeded 800
      re.created py.refunded
      leaves py:succeeded re:pending re:succeeded timer
  later_settled  rest,six    → succeeded 1000 refunded
      re.created py.refunded
      leaves py:succeeded re:pending re:succeeded timer

  fails          part        → succeeded 400
      re.created py.refunded
      leaves py:succeeded re:succeeded timer
  fails          rest        → succeeded 1000 refunded
      re.created py.refunded
      leaves py:succeeded re:succeeded timer
  fails          six         → succeeded 600
      re.created py.refunded
      leaves py:succeeded re:succeeded timer
  fails          more        → succeeded 601
      re.created py.refunded
      leaves py:succeeded re:succeeded timer

  fails_part     part        → succeeded 800
      re.created py.refunded
      leaves py:succeeded re:succeeded re:succeeded timer timer
  fails_part     rest,six    → succeeded 1000 refunded
      re.created py.refunded
      leaves py:succeeded re:succeeded re:succeeded timer timer
  fails_part     hour        → succeeded 0
      re.failed py.updated
      leaves py:succeeded re:failed
  fails_part     no_customer → succeeded 400
      cus.deleted
      leaves py:succeeded re:succeeded timer

  fails_settled  part        → succeeded 400
      re.created py.refunded
      leaves py:succeeded re:failed re:succeeded timer
  fails_settled  rest        → succeeded 1000 refunded
      re.created py.refunded
      leaves py:succeeded re:failed re:succeeded timer
  fails_settled  six         → succeeded 600
      re.created py.refunded
      leaves py:succeeded re:failed re:succeeded timer
  fails_settled  more        → succeeded 601
      re.created py.refunded
      leaves py:succeeded re:failed re:succeeded timer
  fails_settled  no_customer → succeeded 0
      cus.deleted
      leaves py:succeeded re:failed

  failed         no_customer → failed 0
      py_sess.expired cus.deleted
      leaves py:failed
  failed,waiting  part,rest,six,more,too_much → same ! payment_not_refundable

  waiting        no_customer → canceled 0
      py.canceled py_sess.expired cus.deleted
      leaves py:canceled
`

const HOUR = 3600

const paid = (alias: string, ...steps: ((sandbox: Sandbox, subject: Subject) => Promise<unknown>)[]) =>
  after(
    async (sandbox) => {
      const { id: session, customer } = await newPaymentSession(sandbox)
      await sandbox.submit(session, typed(findCardByAlias(alias)?.number ?? '')).catch(ignoreDomainError)
      const { data } = await sandbox.call(api.payments.list, { payment_session: session })
      return { id: data[0]?.id ?? '', customer }
    },
    ...steps,
  )

async function ignoreDomainError(error: unknown): Promise<void> {
  await catchDomainError(Promise.reject(error))
}

const back =
  (fields: { readonly amount?: number }) =>
  (sandbox: Sandbox, { id }: Subject): Promise<unknown> =>
    sandbox.call(api.refunds.create, { payment: id, ...fields })

const part = back({ amount: 400 })

const hour = (sandbox: Sandbox) => sandbox.advance(HOUR)

testLifecycle<Subject>(test, {
  table: TABLE,
  states: {
    paid: paid('visa'),
    part: paid('visa', part),
    whole: paid('visa', back({})),
    later: paid('refund_async'),
    later_part: paid('refund_async', part),
    later_settled: paid('refund_async', part, hour),
    fails: paid('refund_fails'),
    fails_part: paid('refund_fails', part),
    fails_settled: paid('refund_fails', part, hour),
    failed: paid('declined'),
    waiting: paid('sca_always'),
  },
  triggers: {
    part,
    rest: back({}),
    six: back({ amount: 600 }),
    more: back({ amount: 601 }),
    too_much: back({ amount: 1001 }),
    nothing: back({ amount: 0 }),
    hour,
    second_less: (sandbox) => sandbox.advance(HOUR - 1),
    no_customer: (sandbox, { customer }) => sandbox.call(api.customers.delete, { id: customer }),
  },
  stateOf: async (sandbox, { id }) => {
    const { status, amount_refunded, refunded } = await sandbox.call(api.payments.retrieve, { id })
    return `${status} ${amount_refunded}${refunded ? ' refunded' : ''}`
  },
})

test.run()

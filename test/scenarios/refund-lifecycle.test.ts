import { api } from '../../src/api/api.ts'
import { findCardByAlias } from '../../src/domain/cards/test-cards.ts'
import { testLifecycle } from '../support/lifecycle.ts'
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
 * Refunds of a payment with cards whose refunds succeed immediately, succeed after an hour, or
 * fail after an hour: before a refund, with 4.00 refunded, and after that succeeded. `six` refunds 6.00, `more`
 * 6.01, `too_much` 10.01. A payment is followed by its refunded amount.
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
  paid           too_much    → same ! refund_amount_too_large
  paid           nothing     → same ! amount_too_small
  paid           hour        → same
  paid           second_less → same
  paid           no_customer → succeeded 0
      cus.deleted
      leaves py:succeeded

  part           part        → succeeded 800
      re.created py.refunded
      leaves py:succeeded re:succeeded re:succeeded
  part           rest        → succeeded 1000 refunded
      re.created py.refunded
      leaves py:succeeded re:succeeded re:succeeded
  part           six         → succeeded 1000 refunded
      re.created py.refunded
      leaves py:succeeded re:succeeded re:succeeded
  part           more        → same ! refund_amount_too_large
  part           too_much    → same ! refund_amount_too_large
  part           nothing     → same ! amount_too_small
  part           hour        → same
  part           second_less → same
  part           no_customer → succeeded 400
      cus.deleted
      leaves py:succeeded re:succeeded

  whole          part        → same ! payment_already_refunded
  whole          rest        → same ! payment_already_refunded
  whole          six         → same ! payment_already_refunded
  whole          more        → same ! payment_already_refunded
  whole          too_much    → same ! payment_already_refunded
  whole          nothing     → same ! amount_too_small
  whole          hour        → same
  whole          second_less → same
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
  later          too_much    → same ! refund_amount_too_large
  later          nothing     → same ! amount_too_small
  later          hour        → same
  later          second_less → same
  later          no_customer → succeeded 0
      cus.deleted
      leaves py:succeeded

  later_part     part        → succeeded 800
      re.created py.refunded
      leaves py:succeeded re:pending re:pending timer timer
  later_part     rest        → succeeded 1000 refunded
      re.created py.refunded
      leaves py:succeeded re:pending re:pending timer timer
  later_part     six         → succeeded 1000 refunded
      re.created py.refunded
      leaves py:succeeded re:pending re:pending timer timer
  later_part     more        → same ! refund_amount_too_large
  later_part     too_much    → same ! refund_amount_too_large
  later_part     nothing     → same ! amount_too_small
  later_part     hour        → succeeded 400
      re.updated
      leaves py:succeeded re:succeeded
  later_part     second_less → same
  later_part     no_customer → succeeded 400
      cus.deleted
      leaves py:succeeded re:pending timer

  later_settled  part        → succeeded 800
      re.created py.refunded
      leaves py:succeeded re:pending re:succeeded timer
  later_settled  rest        → succeeded 1000 refunded
      re.created py.refunded
      leaves py:succeeded re:pending re:succeeded timer
  later_settled  six         → succeeded 1000 refunded
      re.created py.refunded
      leaves py:succeeded re:pending re:succeeded timer
  later_settled  more        → same ! refund_amount_too_large
  later_settled  too_much    → same ! refund_amount_too_large
  later_settled  nothing     → same ! amount_too_small
  later_settled  hour        → same
  later_settled  second_less → same
  later_settled  no_customer → succeeded 400
      cus.deleted
      leaves py:succeeded re:succeeded

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
  fails          too_much    → same ! refund_amount_too_large
  fails          nothing     → same ! amount_too_small
  fails          hour        → same
  fails          second_less → same
  fails          no_customer → succeeded 0
      cus.deleted
      leaves py:succeeded

  fails_part     part        → succeeded 800
      re.created py.refunded
      leaves py:succeeded re:succeeded re:succeeded timer timer
  fails_part     rest        → succeeded 1000 refunded
      re.created py.refunded
      leaves py:succeeded re:succeeded re:succeeded timer timer
  fails_part     six         → succeeded 1000 refunded
      re.created py.refunded
      leaves py:succeeded re:succeeded re:succeeded timer timer
  fails_part     more        → same ! refund_amount_too_large
  fails_part     too_much    → same ! refund_amount_too_large
  fails_part     nothing     → same ! amount_too_small
  fails_part     hour        → succeeded 0
      re.failed py.updated
      leaves py:succeeded re:failed
  fails_part     second_less → same
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
  fails_settled  too_much    → same ! refund_amount_too_large
  fails_settled  nothing     → same ! amount_too_small
  fails_settled  hour        → same
  fails_settled  second_less → same
  fails_settled  no_customer → succeeded 0
      cus.deleted
      leaves py:succeeded re:failed

  failed         part        → same ! payment_not_refundable
  failed         rest        → same ! payment_not_refundable
  failed         six         → same ! payment_not_refundable
  failed         more        → same ! payment_not_refundable
  failed         too_much    → same ! payment_not_refundable
  failed         nothing     → same ! amount_too_small
  failed         hour        → same
  failed         second_less → same
  failed         no_customer → failed 0
      py_sess.expired cus.deleted
      leaves py:failed

  waiting        part        → same ! payment_not_refundable
  waiting        rest        → same ! payment_not_refundable
  waiting        six         → same ! payment_not_refundable
  waiting        more        → same ! payment_not_refundable
  waiting        too_much    → same ! payment_not_refundable
  waiting        nothing     → same ! amount_too_small
  waiting        hour        → same
  waiting        second_less → same
  waiting        no_customer → canceled 0
      py.canceled py_sess.expired cus.deleted
      leaves py:canceled
`

const HOUR = 3600

const paid =
  (alias: string, then: (sandbox: Sandbox, subject: Subject) => Promise<unknown> = async () => {}) =>
  async (sandbox: Sandbox): Promise<Subject> => {
    const { id: session, customer } = await newPaymentSession(sandbox)
    await sandbox.submit(session, typed(findCardByAlias(alias)?.number ?? '')).catch(ignoreDomainError)
    const { data } = await sandbox.call(api.payments.list, { payment_session: session })
    const subject = { id: data[0]?.id ?? '', customer }
    await then(sandbox, subject)
    return subject
  }

async function ignoreDomainError(error: unknown): Promise<void> {
  await catchDomainError(Promise.reject(error))
}

const back =
  (fields: { readonly amount?: number }) =>
  (sandbox: Sandbox, { id }: Subject): Promise<unknown> =>
    sandbox.call(api.refunds.create, { payment: id, ...fields })

const part = back({ amount: 400 })

async function settlePartialRefund(sandbox: Sandbox, subject: Subject): Promise<void> {
  await part(sandbox, subject)
  await sandbox.advance(HOUR)
}

testLifecycle<Subject>(test, {
  table: TABLE,
  states: {
    paid: paid('visa'),
    part: paid('visa', part),
    whole: paid('visa', back({})),
    later: paid('refund_async'),
    later_part: paid('refund_async', part),
    later_settled: paid('refund_async', settlePartialRefund),
    fails: paid('refund_fails'),
    fails_part: paid('refund_fails', part),
    fails_settled: paid('refund_fails', settlePartialRefund),
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
    hour: (sandbox) => sandbox.advance(HOUR),
    second_less: (sandbox) => sandbox.advance(HOUR - 1),
    no_customer: (sandbox, { customer }) => sandbox.call(api.customers.delete, { id: customer }),
  },
  stateOf: async (sandbox, { id }) => {
    const { status, amount_refunded, refunded } = await sandbox.call(api.payments.retrieve, { id })
    return `${status} ${amount_refunded}${refunded ? ' refunded' : ''}`
  },
})

test.run()

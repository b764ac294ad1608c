import { api } from '../../src/api/api.ts'
import type { OpenDisputeParams } from '../../src/domain/payments/disputes.ts'
import { after, testLifecycle } from '../support/lifecycle.ts'
import { newPaymentSession } from '../support/samples.ts'
import { DAY, type Sandbox } from '../support/sandbox.ts'
import { suite } from '../support/suite.ts'

const test = suite('scenarios/dispute-lifecycle')

interface Subject {
  /** A payment of 10.00 EUR. */
  readonly payment: string
  readonly dispute: string
  readonly customer: string
}

/**
 * Disputes of a payment of 10.00 EUR. `part` disputes 4.00. `saved` has evidence that is not submitted. `wins` and
 * `loses` are under review, with winning and with other evidence. `six` refunds 6.00, `more` refunds 6.01, and `rest`
 * refunds the remaining amount. `again` opens another dispute of 1.00. The status of the dispute and its funds are
 * followed by the refunded and the disputed amount of the payment.
 */
const TABLE = `
  whole          save        → needs_response withdrawn 0 1000
      dp.updated
      leaves py:succeeded dp:needs_response
  whole          win,other   → under_review withdrawn 0 1000
      dp.updated
      leaves py:succeeded dp:under_review
  whole          close,week  → lost withdrawn 0 1000
      dp.closed
      leaves py:succeeded dp:lost
  whole          no_customer → needs_response withdrawn 0 1000
      cus.deleted
      leaves py:succeeded dp:needs_response

  part,saved     save        → needs_response withdrawn 0 400
      dp.updated
      leaves py:succeeded dp:needs_response
  part           win,other   → under_review withdrawn 0 400
      dp.updated
      leaves py:succeeded dp:under_review
  part,saved     close,week  → lost withdrawn 0 400
      dp.closed
      leaves py:succeeded dp:lost
  part,saved     six,rest    → needs_response withdrawn 600 400
      re.created py.refunded
      leaves py:succeeded re:succeeded dp:needs_response
  part,saved     again       → needs_response withdrawn 0 500
      py.updated dp.created dp.funds_withdrawn
      leaves py:succeeded dp:needs_response dp:needs_response
  part,saved     no_customer → needs_response withdrawn 0 400
      cus.deleted
      leaves py:succeeded dp:needs_response

  saved          submit,win,other → under_review withdrawn 0 400
      dp.updated
      leaves py:succeeded dp:under_review

  wins           hour,week   → won reinstated 0 0
      dp.closed dp.funds_reinstated py.updated
      leaves py:succeeded dp:won
  wins,loses     six,rest    → under_review withdrawn 600 400
      re.created py.refunded
      leaves py:succeeded re:succeeded dp:under_review
  wins,loses     again       → under_review withdrawn 0 500
      py.updated dp.created dp.funds_withdrawn
      leaves py:succeeded dp:needs_response dp:under_review
  wins,loses     no_customer → under_review withdrawn 0 400
      cus.deleted
      leaves py:succeeded dp:under_review

  loses          hour,week   → lost withdrawn 0 400
      dp.closed
      leaves py:succeeded dp:lost

  won            six         → won reinstated 600 0
      re.created py.refunded
      leaves py:succeeded re:succeeded dp:won
  won            more        → won reinstated 601 0
      re.created py.refunded
      leaves py:succeeded re:succeeded dp:won
  won            rest        → won reinstated 1000 0
      re.created py.refunded
      leaves py:succeeded re:succeeded dp:won
  won            again       → won reinstated 0 100
      py.updated dp.created dp.funds_withdrawn
      leaves py:succeeded dp:needs_response dp:won
  won            no_customer → won reinstated 0 0
      cus.deleted
      leaves py:succeeded dp:won

  lost           six,rest    → lost withdrawn 600 400
      re.created py.refunded
      leaves py:succeeded re:succeeded dp:lost
  lost           again       → lost withdrawn 0 500
      py.updated dp.created dp.funds_withdrawn
      leaves py:succeeded dp:lost dp:needs_response
  lost           no_customer → lost withdrawn 0 400
      cus.deleted
      leaves py:succeeded dp:lost

  inquiry        save        → warning_needs_response none 0 0
      dp.updated
      leaves py:succeeded dp:warning_needs_response
  inquiry        win,other   → warning_under_review none 0 0
      dp.updated
      leaves py:succeeded dp:warning_under_review
  inquiry        close,week  → warning_closed none 0 0
      dp.closed
      leaves py:succeeded dp:warning_closed
  inquiry,inquiry_answered six         → warning_closed none 600 0
      re.created py.refunded dp.closed
      leaves py:succeeded re:succeeded dp:warning_closed
  inquiry,inquiry_answered more        → warning_closed none 601 0
      re.created py.refunded dp.closed
      leaves py:succeeded re:succeeded dp:warning_closed
  inquiry,inquiry_answered rest        → warning_closed none 1000 0
      re.created py.refunded dp.closed
      leaves py:succeeded re:succeeded dp:warning_closed
  inquiry        again       → warning_needs_response none 0 100
      py.updated dp.created dp.funds_withdrawn
      leaves py:succeeded dp:needs_response dp:warning_needs_response
  inquiry        no_customer → warning_needs_response none 0 0
      cus.deleted
      leaves py:succeeded dp:warning_needs_response

  inquiry_answered week        → warning_closed none 0 0
      dp.closed
      leaves py:succeeded dp:warning_closed
  inquiry_answered again       → warning_under_review none 0 100
      py.updated dp.created dp.funds_withdrawn
      leaves py:succeeded dp:needs_response dp:warning_under_review
  inquiry_answered no_customer → warning_under_review none 0 0
      cus.deleted
      leaves py:succeeded dp:warning_under_review

  inquiry_closed six         → warning_closed none 600 0
      re.created py.refunded
      leaves py:succeeded re:succeeded dp:warning_closed
  inquiry_closed more        → warning_closed none 601 0
      re.created py.refunded
      leaves py:succeeded re:succeeded dp:warning_closed
  inquiry_closed rest        → warning_closed none 1000 0
      re.created py.refunded
      leaves py:succeeded re:succeeded dp:warning_closed
  inquiry_closed again       → warning_closed none 0 100
      py.updated dp.created dp.funds_withdrawn
      leaves py:succeeded dp:needs_response dp:warning_closed
  inquiry_closed no_customer → warning_closed none 0 0
      cus.deleted
      leaves py:succeeded dp:warning_closed

  whole,part,inquiry submit      → same ! parameter_missing
  whole,part,saved,inquiry,inquiry_answered hour,second_less → same

  wins,loses     second_less → same

  won,lost,inquiry_closed hour,second_less,week → same

  whole          six,more,rest,again → same ! payment_disputed

  part,saved,wins,loses,lost more        → same ! payment_disputed

  wins,loses,won,lost,inquiry_answered,inquiry_closed save,submit,win,other,close → same ! dispute_unexpected_state
`

const HOUR = 3600

const opened = (params: Partial<OpenDisputeParams> = {}, ...steps: readonly Step[]) =>
  after<Subject>(
    async (sandbox) => {
      const { id, customer } = await newPaymentSession(sandbox)
      const session = await sandbox.call(api.paymentSessions.complete, { id, test_card: 'visa' })
      const payment = session.payment ?? ''
      const dispute = await open(params)(sandbox, { payment })
      return { payment, dispute: dispute.id, customer }
    },
    ...steps,
  )

type Step = (sandbox: Sandbox, subject: Subject) => Promise<unknown>

const open =
  (params: Partial<OpenDisputeParams>) =>
  (sandbox: Sandbox, { payment }: Pick<Subject, 'payment'>) =>
    sandbox.call(api.payments.dispute, { id: payment, reason: 'fraudulent', ...params })

const answer =
  (text: string | null, submit?: boolean): Step =>
  (sandbox, { dispute }) =>
    sandbox.call(api.disputes.update, {
      ...{ id: dispute, ...(submit === undefined ? {} : { submit }) },
      ...(text === null ? {} : { evidence: { text } }),
    })

const refund =
  (amount?: number): Step =>
  (sandbox, { payment }) =>
    sandbox.call(api.refunds.create, { payment, ...(amount === undefined ? {} : { amount }) })

const close: Step = (sandbox, { dispute }) => sandbox.call(api.disputes.close, { id: dispute })
const win = answer('winning_evidence')
const other = answer('Signed for on 3 May')
const hour: Step = (sandbox) => sandbox.advance(HOUR)

testLifecycle<Subject>(test, {
  table: TABLE,
  states: {
    whole: opened(),
    part: opened({ amount: 400 }),
    saved: opened({ amount: 400 }, answer('winning_evidence', false)),
    wins: opened({ amount: 400 }, win),
    loses: opened({ amount: 400 }, other),
    won: opened({ amount: 400 }, win, hour),
    lost: opened({ amount: 400 }, close),
    inquiry: opened({ inquiry: true }),
    inquiry_answered: opened({ inquiry: true }, win),
    inquiry_closed: opened({ inquiry: true }, close),
  },
  triggers: {
    save: answer('Signed for on 3 May', false),
    submit: answer(null),
    win,
    other,
    close,
    hour,
    second_less: (sandbox) => sandbox.advance(HOUR - 1),
    week: (sandbox) => sandbox.advance(7 * DAY),
    six: refund(600),
    more: refund(601),
    rest: refund(),
    again: open({ amount: 100 }),
    no_customer: (sandbox, { customer }) => sandbox.call(api.customers.delete, { id: customer }),
  },
  stateOf: async (sandbox, { dispute: id, payment }) => {
    const { status, funds } = await sandbox.call(api.disputes.retrieve, { id })
    const { amount_refunded, amount_disputed } = await sandbox.call(api.payments.retrieve, { id: payment })
    return `${status} ${funds} ${amount_refunded} ${amount_disputed}`
  },
})

test.run()

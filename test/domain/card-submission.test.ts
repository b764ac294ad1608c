import {
  type Attempt,
  answerChallenge,
  isCardAsked,
  isSaving,
  type Submitted,
  submitEntered,
} from '../../src/domain/card-submission.ts'
import type { Decision } from '../../src/domain/changes.ts'
import type { Payment } from '../../src/domain/payments.ts'
import {
  aCheckout,
  anAttempt,
  aPayment,
  aPaymentSession,
  cameTo,
  entered,
  told,
} from '../support/domain-samples.ts'
import { createRuleContext, DAY, START } from '../support/rule-context.ts'
import { refusal } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/card-submission')

const context = createRuleContext()
const VISA = '4242424242424242'
const DECLINED = '4000000000000002'
const SCA = '4000002500003155'

/** What a decision leaves for the next attempt to find. */
function asked(attempt: Attempt, decision: Decision<Submitted>): Attempt {
  const made = decision.changes.map(({ after }) => after)
  const waiting = made.find((record) => record?.object === 'authentication')
  const payment = made.findLast((record) => record?.object === 'payment')
  return {
    ...attempt,
    waiting: (waiting ?? null) as Attempt['waiting'],
    waitingPayment: (payment ?? null) as Payment | null,
  }
}

test('a payment session needs a card, a checkout session unless its invoices are sent', () => {
  assert.ok(isCardAsked(aPaymentSession(context)))
  assert.ok(isCardAsked(aCheckout(context)))
  assert.not(isCardAsked(aCheckout(context, { collection_method: 'send_invoice' })))
})

test('a card is only saved when nothing is charged today', () => {
  assert.not(isSaving(aPaymentSession(context), START))
  assert.not(isSaving(aCheckout(context), START))
  assert.ok(isSaving(aCheckout(context, { start_date: START + 1 }), START))
})

test('an approval completes the session, a decline leaves a failed payment and an open session', () => {
  const attempt = anAttempt(context, aPaymentSession(context))
  const paid = submitEntered(attempt, entered(VISA), context)
  assert.equal(told(paid.changes), ['payment.created', 'payment.succeeded', 'payment_session.completed'])
  assert.is((cameTo(paid) as Submitted).kind, 'done')
  const declined = submitEntered(attempt, entered(DECLINED), context)
  assert.equal(told(declined.changes), ['payment.created', 'payment.failed'])
  assert.is(cameTo(declined), 'card_declined')
})

test('a 3-D Secure card waits under the id of its session and leads to the payment', () => {
  const attempt = anAttempt(context, aPaymentSession(context))
  const decision = submitEntered(attempt, entered(SCA, { name: 'Ada' }), context)
  assert.equal(told(decision.changes), ['payment.created', 'payment.requires_action', '-'])
  const { waiting, waitingPayment } = asked(attempt, decision)
  assert.equal(
    [waiting?.id, waiting?.payment, waiting?.name],
    [attempt.session.id, waitingPayment?.id, 'Ada'],
  )
  assert.equal(cameTo(decision), { kind: 'authenticate', target: waitingPayment?.id })
})

test('without anything to charge it leads to the session itself and makes no payment', () => {
  const attempt = anAttempt(context, aCheckout(context, { start_date: START + DAY }))
  const decision = submitEntered(attempt, entered(SCA), context)
  assert.equal(told(decision.changes), ['-'])
  assert.equal(cameTo(decision), { kind: 'authenticate', target: attempt.session.id })
})

test('a new attempt ends the one that waited first, whatever becomes of it', () => {
  const first = anAttempt(context, aPaymentSession(context))
  const attempt = asked(first, submitEntered(first, entered(SCA), context))
  for (const number of [VISA, DECLINED, SCA]) {
    const { changes } = submitEntered(attempt, entered(number), context)
    assert.equal(told(changes).slice(0, 3), ['payment.canceled', '-', 'payment.created'])
    assert.equal([changes[0]?.before, changes[1]?.before], [attempt.waitingPayment, attempt.waiting])
  }
})

test('a card with faults, or none of ours, leaves the one that waited waiting', async () => {
  const first = anAttempt(context, aPaymentSession(context))
  const attempt = asked(first, submitEntered(first, entered(SCA), context))
  for (const number of ['', '4242']) {
    assert.match((await refusal(() => submitEntered(attempt, entered(number), context))).code, /number/)
  }
  const { changes } = submitEntered(attempt, entered('4539148803436467'), context)
  const noted = { id: attempt.session.id, object: 'traceless_declines', times: [START], noted_at: START }
  assert.equal(changes, [{ event: null, before: null, after: noted }])
})

test('approving completes by the payment that waited, rejecting fails it, both end the wait', () => {
  const first = anAttempt(context, aPaymentSession(context))
  const attempt = asked(first, submitEntered(first, entered(SCA), context))
  const approved = answerChallenge(attempt, true, context)
  assert.equal(told(approved.changes), ['-', 'payment.succeeded', 'payment_session.completed'])
  const rejected = answerChallenge(attempt, false, context)
  assert.equal(told(rejected.changes), ['-', 'payment.failed'])
  assert.is(cameTo(rejected), 'authentication_failed')
  for (const { changes } of [approved, rejected]) {
    assert.equal([changes[0]?.before, changes[0]?.after], [attempt.waiting, null])
  }
})

test('an answer that nobody waits for is refused', async () => {
  const attempt = anAttempt(context, aPaymentSession(context))
  const { code, message } = await refusal(() => answerChallenge(attempt, true, context))
  assert.is(code, 'payment_session_unexpected_state')
  assert.match(message, /No 3-D Secure authentication is waiting.+Submit a card first/)
})

test('a session that is closed or has no time left is refused before its card is read', async () => {
  const session = aPaymentSession(context)
  const late = createRuleContext(session.expires_at)
  for (const closed of [
    { ...session, status: 'complete' as const },
    { ...session, status: 'expired' as const },
  ]) {
    const attempt = { ...anAttempt(context, closed), customer: null }
    assert.match((await refusal(() => submitEntered(attempt, {}, context))).code, /_unexpected_state$/)
    assert.match((await refusal(() => answerChallenge(attempt, true, context))).code, /_unexpected_state$/)
  }
  assert.match(
    (await refusal(() => submitEntered(anAttempt(context, session), {}, late))).message,
    /it is expired/,
  )
})

test('an invoice that is sent asks for no card and passes over one that is given', () => {
  const attempt = anAttempt(context, aCheckout(context, { collection_method: 'send_invoice' }))
  for (const card of [{}, entered(DECLINED), entered('nonsense')]) {
    const decision = submitEntered(attempt, card, context)
    assert.is((cameTo(decision) as Submitted).kind, 'done')
    assert.not(told(decision.changes).includes('payment_method.attached'))
  }
})

/** ages of failed attempts in seconds, and how long to wait, null for not at all */
const DECLINES: readonly (readonly [ages: readonly number[], wait: number | null])[] = [
  [Array.from({ length: 9 }, () => 0), null],
  [Array.from({ length: 10 }, () => 0), 3600],
  [Array.from({ length: 10 }, (_, at) => at * 60), 3060],
  [Array.from({ length: 10 }, () => 3599), 1],
  [Array.from({ length: 10 }, () => 3600), null],
  [[...Array.from({ length: 9 }, () => 5), 3600], null],
  [[3000, ...Array.from({ length: 10 }, () => 5)], 3595],
]

for (const [ages, wait] of DECLINES) {
  test(`${ages.length} declines up to ${Math.max(...ages)} s ago ${wait === null ? 'let one try' : `wait ${wait} s`}`, async () => {
    const recentFailures = ages.map((age) => aPayment(createRuleContext(START - age), { status: 'failed' }))
    const times = ages.map((age) => START - age)
    const session = aPaymentSession(context)
    const traceless = { id: session.id, object: 'traceless_declines', times, noted_at: START } as const
    for (const declines of [{ recentFailures }, { traceless }]) {
      const attempt = anAttempt(context, session, declines)
      const submit = () => submitEntered(attempt, entered(VISA), context)
      if (wait === null) assert.is((cameTo(submit()) as Submitted).kind, 'done')
      else {
        const { code, details } = await refusal(submit)
        assert.equal([code, details.retryAfterSeconds], ['card_decline_rate_limit_exceeded', wait])
      }
    }
  })
}

test.run()

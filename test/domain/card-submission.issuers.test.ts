import {
  type Attempt,
  answerChallenge,
  hearIssuer,
  type Submitted,
  submitEntered,
} from '../../src/domain/card-submission.ts'
import type { Decision } from '../../src/domain/changes.ts'
import { isProcessing } from '../../src/domain/processing.ts'
import { SLOW_SECONDS } from '../../src/domain/test-cards.ts'
import { aCheckout, anAttempt, aPaymentSession, cameTo, entered, told } from '../support/domain-samples.ts'
import { createRuleContext, DAY, START } from '../support/rule-context.ts'
import { refusal } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/card-submission issuers')

// On a test clock far from real time, which the issuer of the slow card lives in.
const context = { ...createRuleContext(), wallNow: START + 500 * DAY }
const SLOW = '4000009000000060'
const EVERY_OTHER = '4000009000000078'

/** What a decision leaves for the next one to find. */
function afterwards(attempt: Attempt, { changes }: Decision<unknown>): Attempt {
  const made = (object: string) => changes.findLast(({ after }) => after?.object === object)?.after ?? null
  return {
    ...attempt,
    waiting: made('authentication') as Attempt['waiting'],
    waitingPayment: made('payment') as Attempt['waitingPayment'],
    alternations: (made('counter') ?? attempt.alternations) as Attempt['alternations'],
  }
}

test('the issuer of the slow card is waited for in real time, the payment being processed', () => {
  const attempt = anAttempt(context, aPaymentSession(context))
  const decision = submitEntered(attempt, entered(SLOW), context)
  assert.equal(told(decision.changes), ['payment.created', '-', '-'])
  assert.equal(cameTo(decision), { kind: 'processing', session: attempt.session })
  assert.equal(decision.changes[2]?.after, {
    id: attempt.session.id,
    object: 'timer',
    what: 'issuer_answers',
    at: context.wallNow + SLOW_SECONDS,
    test_clock: null,
  })
  const waiting = afterwards(attempt, decision)
  assert.equal([isProcessing(waiting.waitingPayment), isProcessing(attempt.waitingPayment)], [true, false])
})

test('nothing else can be tried until it is heard', async () => {
  const attempt = anAttempt(context, aPaymentSession(context))
  const waiting = afterwards(attempt, submitEntered(attempt, entered(SLOW), context))
  for (const again of [
    () => submitEntered(waiting, entered('4242424242424242'), context),
    () => submitEntered(waiting, entered(SLOW), context),
    () => answerChallenge(waiting, true, context),
    () => answerChallenge(waiting, false, context),
  ]) {
    const { code, details } = await refusal(again)
    assert.equal([code, details.retryAfterSeconds], ['payment_processing', SLOW_SECONDS])
  }
})

test('what it says completes either kind of session', () => {
  const paid = anAttempt(context, aPaymentSession(context))
  const once = hearIssuer(afterwards(paid, submitEntered(paid, entered(SLOW), context)), context)
  assert.equal(told(once.changes), ['-', 'payment.succeeded', 'payment_session.completed'])
  const bought = anAttempt(context, aCheckout(context))
  const sold = hearIssuer(afterwards(bought, submitEntered(bought, entered(SLOW), context)), context)
  assert.equal(told(sold.changes), [
    ...['-', 'payment_method.attached', 'subscription.created', 'invoice.created', '-', 'invoice.finalized'],
    ...['payment.succeeded', 'invoice.paid', 'checkout_session.completed'],
  ])
})

test('it is not heard any more when the session has ended, or nothing is being processed', () => {
  const attempt = anAttempt(context, aPaymentSession(context))
  const waiting = afterwards(attempt, submitEntered(attempt, entered(SLOW), context))
  const { session, waitingPayment } = waiting
  const canceled = waitingPayment && ({ ...waitingPayment, status: 'canceled' } as const)
  for (const unheard of [
    attempt,
    { ...waiting, waiting: null },
    { ...waiting, waitingPayment: null },
    { ...waiting, waitingPayment: canceled },
    { ...waiting, session: { ...session, status: 'expired' } as Attempt['session'] },
  ]) {
    assert.equal(hearIssuer(unheard, context).changes, [])
  }
})

test('saving the slow card asks for nothing that takes time', () => {
  const later = anAttempt(context, aCheckout(context, { start_date: START + DAY }))
  for (const number of [SLOW, EVERY_OTHER]) {
    const decision = submitEntered(later, entered(number), context)
    assert.is((cameTo(decision) as Submitted).kind, 'done')
    assert.not(told(decision.changes).includes('-'))
  }
})

test('every other charge of a customer with the alternating card is declined', () => {
  let attempt = anAttempt(context, aPaymentSession(context))
  const came: string[] = []
  for (let charge = 0; charge < 4; charge += 1) {
    const decision = submitEntered(attempt, entered(EVERY_OTHER), context)
    assert.is(told(decision.changes)[0], '-')
    const result = cameTo(decision)
    came.push(typeof result === 'string' ? result : result.kind)
    const { alternations } = afterwards(attempt, decision)
    attempt = { ...attempt, alternations }
  }
  assert.equal(came, ['done', 'card_declined', 'done', 'card_declined'])
})

test.run()

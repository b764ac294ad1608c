import { SLOW_CARD_SECONDS } from '../../../src/domain/cards/test-cards.ts'
import {
  applyIssuerDecision,
  completeAuthentication,
  type SessionRecords,
  type SessionSubmissionResult,
  submitSession,
} from '../../../src/domain/completion/session-submission.ts'
import type { Decision } from '../../../src/domain/core/changes.ts'
import { isPaymentProcessing } from '../../../src/domain/payments/payment-processing.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import {
  aCheckout,
  anAttempt,
  aPaymentSession,
  enteredCard,
  eventTypesOf,
  resultOrErrorCode,
} from '../../support/domain-samples.ts'
import { createRuleContext, DAY, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/completion/session-submission issuers')

// A test clock far from real time. The issuer of the slow card uses real time.
const context = { ...createRuleContext(), wallNow: START + 500 * DAY }
const SLOW = '4000009000000060'
const EVERY_OTHER = '4000009000000078'

/** Returns the records after a decision. */
function afterwards(attempt: SessionRecords, { changes }: Decision<unknown>): SessionRecords {
  const made = (object: string) => changes.findLast(({ after }) => after?.object === object)?.after ?? null
  return {
    ...attempt,
    authentication: made('authentication') as SessionRecords['authentication'],
    pendingPayment: made('payment') as SessionRecords['pendingPayment'],
    alternatingCharges: (made('counter') ??
      attempt.alternatingCharges) as SessionRecords['alternatingCharges'],
  }
}

test('a payment with the slow card is processing and has a timer in real time', () => {
  const attempt = anAttempt(context, aPaymentSession(context))
  const decision = submitSession(attempt, enteredCard(SLOW), context)
  assert.equal(eventTypesOf(decision.changes), ['payment.created', '-', '-'])
  assert.equal(resultOrErrorCode(decision), { kind: 'processing', session: attempt.session })
  assert.equal(decision.changes[2]?.after, {
    id: attempt.session.id,
    object: 'timer',
    what: 'issuer_answers',
    at: context.wallNow + SLOW_CARD_SECONDS,
    test_clock: null,
  })
  const waiting = afterwards(attempt, decision)
  assert.equal(
    [isPaymentProcessing(waiting.pendingPayment), isPaymentProcessing(attempt.pendingPayment)],
    [true, false],
  )
})

test('throws payment_processing for any other submission while a payment is processing', async () => {
  const attempt = anAttempt(context, aPaymentSession(context))
  const waiting = afterwards(attempt, submitSession(attempt, enteredCard(SLOW), context))
  for (const again of [
    () => submitSession(waiting, enteredCard('4242424242424242'), context),
    () => submitSession(waiting, enteredCard(SLOW), context),
    () => completeAuthentication(waiting, true, context),
    () => completeAuthentication(waiting, false, context),
  ]) {
    const { code, details } = await catchDomainError(again)
    assert.equal([code, details.retryAfterSeconds], ['payment_processing', SLOW_CARD_SECONDS])
  }
})

test('the approval of the issuer completes a payment session and a checkout session', () => {
  const paid = anAttempt(context, aPaymentSession(context))
  const once = applyIssuerDecision(afterwards(paid, submitSession(paid, enteredCard(SLOW), context)), context)
  assert.equal(eventTypesOf(once.changes), ['-', 'payment.succeeded', 'payment_session.completed'])
  const bought = anAttempt(context, aCheckout(context))
  const sold = applyIssuerDecision(
    afterwards(bought, submitSession(bought, enteredCard(SLOW), context)),
    context,
  )
  assert.equal(eventTypesOf(sold.changes), [
    ...[
      '-',
      'payment_method.attached',
      'customer.updated',
      'subscription.created',
      'invoice.created',
      '-',
      'invoice.finalized',
    ],
    ...['payment.succeeded', 'invoice.paid', 'checkout_session.completed'],
  ])
})

test('ignores the issuer decision when the session has ended or no payment is processing', () => {
  const attempt = anAttempt(context, aPaymentSession(context))
  const waiting = afterwards(attempt, submitSession(attempt, enteredCard(SLOW), context))
  const { session, pendingPayment } = waiting
  const canceled = pendingPayment && ({ ...pendingPayment, status: 'canceled' } as const)
  for (const records of [
    attempt,
    { ...waiting, authentication: null },
    { ...waiting, pendingPayment: null },
    { ...waiting, pendingPayment: canceled },
    { ...waiting, session: { ...session, status: 'expired' } as SessionRecords['session'] },
  ]) {
    assert.equal(applyIssuerDecision(records, context).changes, [])
  }
})

test('saves the slow card immediately, without a processing payment', () => {
  const later = anAttempt(context, aCheckout(context, { start_date: START + DAY }))
  for (const number of [SLOW, EVERY_OTHER]) {
    const decision = submitSession(later, enteredCard(number), context)
    assert.is((resultOrErrorCode(decision) as SessionSubmissionResult).kind, 'done')
    assert.not(eventTypesOf(decision.changes).includes('-'))
  }
})

test('declines every second charge of a customer with the alternating card', () => {
  let attempt = anAttempt(context, aPaymentSession(context))
  const came: string[] = []
  for (let charge = 0; charge < 4; charge += 1) {
    const decision = submitSession(attempt, enteredCard(EVERY_OTHER), context)
    assert.is(eventTypesOf(decision.changes)[0], '-')
    const result = resultOrErrorCode(decision)
    came.push(typeof result === 'string' ? result : result.kind)
    const { alternatingCharges } = afterwards(attempt, decision)
    attempt = { ...attempt, alternatingCharges }
  }
  assert.equal(came, ['done', 'card_declined', 'done', 'card_declined'])
})

test.run()

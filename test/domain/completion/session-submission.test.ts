import { getSessionCharge, isCardRequired } from '../../../src/domain/completion/session-offers.ts'
import {
  completeAuthentication,
  type SessionRecords,
  type SessionSubmissionResult,
  submitSession,
} from '../../../src/domain/completion/session-submission.ts'
import type { Decision } from '../../../src/domain/core/changes.ts'
import type { Payment } from '../../../src/domain/payments/payments.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import {
  aCheckout,
  aCustomer,
  anAttempt,
  aPayment,
  aPaymentSession,
  enteredCard,
  eventTypesOf,
  resultOrErrorCode,
} from '../../support/domain-samples.ts'
import { createRuleContext, DAY, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/completion/session-submission')

const context = createRuleContext()
const VISA = '4242424242424242'
const DECLINED = '4000000000000002'
const SCA = '4000002500003155'

/** Returns the records for the next attempt after a decision. */
function recordsAfter(attempt: SessionRecords, decision: Decision<SessionSubmissionResult>): SessionRecords {
  const made = decision.changes.map(({ after }) => after)
  const waiting = made.find((record) => record?.object === 'authentication')
  const payment = made.findLast((record) => record?.object === 'payment')
  return {
    ...attempt,
    authentication: (waiting ?? null) as SessionRecords['authentication'],
    pendingPayment: (payment ?? null) as Payment | null,
  }
}

test('requires a card for payment sessions, and for checkout sessions unless invoices are sent', () => {
  assert.ok(isCardRequired(aPaymentSession(context), START))
  assert.ok(isCardRequired(aCheckout(context), START))
  assert.not(isCardRequired(aCheckout(context, { collection_method: 'send_invoice' }), START))
})

test('saves the card without a payment when nothing is charged today', () => {
  const customer = aCustomer(context)
  const chargeOf = (session: SessionRecords['session'], balances = {}) =>
    getSessionCharge({ session, customer: { ...customer, balances } }, START)
  assert.is(chargeOf(aPaymentSession(context)), 1000)
  assert.is(chargeOf(aCheckout(context)), 120_000)
  assert.is(chargeOf(aCheckout(context, { start_date: START + 1 })), 0)
  assert.is(chargeOf(aCheckout(context), { eur: -500, usd: -700 }), 119_500)
  assert.is(chargeOf(aCheckout(context), { eur: -120_000 }), 0)
  assert.is(chargeOf(aPaymentSession(context), { eur: -500 }), 1000, 'only invoices use credit')
})

test('completes the session when the issuer approves, and stores a failed payment when it declines', () => {
  const attempt = anAttempt(context, aPaymentSession(context))
  const paid = submitSession(attempt, enteredCard(VISA), context)
  assert.equal(eventTypesOf(paid.changes), [
    'payment.created',
    'payment.succeeded',
    'payment_session.completed',
  ])
  assert.is((resultOrErrorCode(paid) as SessionSubmissionResult).kind, 'done')
  const declined = submitSession(attempt, enteredCard(DECLINED), context)
  assert.equal(eventTypesOf(declined.changes), ['payment.created', 'payment.failed'])
  assert.is(resultOrErrorCode(declined), 'card_declined')
})

test('a 3-D Secure card creates an authentication with the session id and the payment as target', () => {
  const attempt = anAttempt(context, aPaymentSession(context))
  const decision = submitSession(attempt, enteredCard(SCA, { name: 'Ada' }), context)
  assert.equal(eventTypesOf(decision.changes), ['payment.created', 'payment.requires_action', '-'])
  const { authentication, pendingPayment } = recordsAfter(attempt, decision)
  assert.equal(
    [authentication?.id, authentication?.payment, authentication?.name],
    [attempt.session.id, pendingPayment?.id, 'Ada'],
  )
  assert.equal(resultOrErrorCode(decision), { kind: 'authenticate', target: pendingPayment?.id })
})

test('saving a 3-D Secure card creates an authentication for the session, and no payment', () => {
  const attempt = anAttempt(context, aCheckout(context, { start_date: START + DAY }))
  const decision = submitSession(attempt, enteredCard(SCA), context)
  assert.equal(eventTypesOf(decision.changes), ['-'])
  assert.equal(resultOrErrorCode(decision), { kind: 'authenticate', target: attempt.session.id })
})

test('a second submission first cancels the pending payment of the session', () => {
  const first = anAttempt(context, aPaymentSession(context))
  const attempt = recordsAfter(first, submitSession(first, enteredCard(SCA), context))
  for (const number of [VISA, DECLINED, SCA]) {
    const { changes } = submitSession(attempt, enteredCard(number), context)
    assert.equal(eventTypesOf(changes).slice(0, 3), ['payment.canceled', '-', 'payment.created'])
    assert.equal([changes[0]?.before, changes[1]?.before], [attempt.pendingPayment, attempt.authentication])
  }
})

test('submitting an invalid card or a number that is not a test card keeps the pending payment', async () => {
  const first = anAttempt(context, aPaymentSession(context))
  const attempt = recordsAfter(first, submitSession(first, enteredCard(SCA), context))
  for (const number of ['', '4242']) {
    assert.match(
      (await catchDomainError(() => submitSession(attempt, enteredCard(number), context))).code,
      /number/,
    )
  }
  const { changes } = submitSession(attempt, enteredCard('4539148803436467'), context)
  const noted = { id: attempt.session.id, object: 'traceless_declines', times: [START], noted_at: START }
  assert.equal(changes, [{ event: null, before: null, after: noted }])
})

test('approving 3-D Secure completes the session, rejecting fails the payment, and both remove the authentication', () => {
  const first = anAttempt(context, aPaymentSession(context))
  const attempt = recordsAfter(first, submitSession(first, enteredCard(SCA), context))
  const approved = completeAuthentication(attempt, true, context)
  assert.equal(eventTypesOf(approved.changes), ['-', 'payment.succeeded', 'payment_session.completed'])
  const rejected = completeAuthentication(attempt, false, context)
  assert.equal(eventTypesOf(rejected.changes), ['-', 'payment.failed'])
  assert.is(resultOrErrorCode(rejected), 'authentication_failed')
  for (const { changes } of [approved, rejected]) {
    assert.equal([changes[0]?.before, changes[0]?.after], [attempt.authentication, null])
  }
})

test('rejects an authentication that is not pending', async () => {
  const attempt = anAttempt(context, aPaymentSession(context))
  const { code, message } = await catchDomainError(() => completeAuthentication(attempt, true, context))
  assert.is(code, 'payment_session_unexpected_state')
  assert.match(message, /No 3-D Secure authentication is pending.+Submit a card first/)
})

test('rejects a closed or expired session before validating the card', async () => {
  const session = aPaymentSession(context)
  const late = createRuleContext(session.expires_at)
  for (const closed of [
    { ...session, status: 'complete' as const },
    { ...session, status: 'expired' as const },
  ]) {
    const attempt = { ...anAttempt(context, closed), customer: null }
    assert.match(
      (await catchDomainError(() => submitSession(attempt, {}, context))).code,
      /_unexpected_state$/,
    )
    assert.match(
      (await catchDomainError(() => completeAuthentication(attempt, true, context))).code,
      /_unexpected_state$/,
    )
  }
  assert.match(
    (await catchDomainError(() => submitSession(anAttempt(context, session), {}, late))).message,
    /it is expired/,
  )
})

test('a session that sends invoices ignores an entered card', () => {
  const attempt = anAttempt(context, aCheckout(context, { collection_method: 'send_invoice' }))
  for (const card of [{}, enteredCard(DECLINED), enteredCard('nonsense')]) {
    const decision = submitSession(attempt, card, context)
    assert.is((resultOrErrorCode(decision) as SessionSubmissionResult).kind, 'done')
    assert.not(eventTypesOf(decision.changes).includes('payment_method.attached'))
  }
})

/** ages of failed attempts in seconds, retry delay in seconds or null */
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
  test(`${wait === null ? 'accepts another card' : `rejects another card for ${wait} s`} after ${ages.length} declines, the oldest ${Math.max(...ages)} s ago`, async () => {
    const recentFailures = ages.map((age) => aPayment(createRuleContext(START - age), { status: 'failed' }))
    const times = ages.map((age) => START - age)
    const session = aPaymentSession(context)
    const declineLog = { id: session.id, object: 'traceless_declines', times, noted_at: START } as const
    for (const declines of [{ recentFailures }, { declineLog }]) {
      const attempt = anAttempt(context, session, declines)
      const submit = () => submitSession(attempt, enteredCard(VISA), context)
      if (wait === null) assert.is((resultOrErrorCode(submit()) as SessionSubmissionResult).kind, 'done')
      else {
        const { code, details } = await catchDomainError(submit)
        assert.equal([code, details.retryAfterSeconds], ['card_decline_rate_limit_exceeded', wait])
      }
    }
  })
}

test.run()

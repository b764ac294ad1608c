import { SLOW_CARD_SECONDS } from '../../../src/domain/cards/test-cards.ts'
import { getSessionCharge, isCardRequired } from '../../../src/domain/completion/session-offers.ts'
import {
  completeSessionAuthentication,
  type SessionCompletionRecords,
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
const SCA = '4000002500003155'

/** Returns the records for the next attempt after a decision. */
function recordsAfter(
  attempt: SessionCompletionRecords,
  decision: Decision<SessionSubmissionResult>,
): SessionCompletionRecords {
  const made = decision.changes.map(({ after }) => after)
  const waiting = made.find((record) => record?.object === 'authentication')
  const payment = made.findLast((record) => record?.object === 'payment')
  return {
    ...attempt,
    authentication: (waiting ?? null) as SessionCompletionRecords['authentication'],
    pendingPayment: (payment ?? null) as Payment | null,
  }
}

test('requires a card for payment sessions, and for checkout sessions unless invoices are sent', () => {
  assert.ok(isCardRequired(aPaymentSession(context), START))
  assert.ok(isCardRequired(aCheckout(context), START))
  assert.not(isCardRequired(aCheckout(context, { collection_method: 'send_invoice' }), START))
})

test('the charge of a checkout session is its total minus credit, and 0 when it starts in the future', () => {
  const customer = aCustomer(context)
  const chargeOf = (session: SessionCompletionRecords['session'], balances = {}) =>
    getSessionCharge({ session, customer: { ...customer, balances }, redemption: null }, START)
  assert.is(chargeOf(aPaymentSession(context)), 1000)
  assert.is(chargeOf(aCheckout(context)), 120_000)
  assert.is(chargeOf(aCheckout(context, { start_date: START + 1 })), 0)
  assert.is(chargeOf(aCheckout(context), { eur: -500, usd: -700 }), 119_500)
  assert.is(chargeOf(aCheckout(context), { eur: -120_000 }), 0)
  assert.is(chargeOf(aPaymentSession(context), { eur: -500 }), 1000, 'only invoices use credit')
})

for (const [purpose, session, isCharged] of [
  ['charges', aPaymentSession(context), true],
  ['only saves', aCheckout(context, { start_date: START + DAY }), false],
] as const) {
  test(`the target of 3-D Secure that ${purpose} the card is the ${isCharged ? 'payment' : 'session'}`, () => {
    const attempt = anAttempt(context, session)
    const decision = submitSession(attempt, enteredCard(SCA, { name: 'Ada' }), context)
    const { authentication, pendingPayment } = recordsAfter(attempt, decision)
    assert.is(pendingPayment === null, !isCharged)
    const { id, name, payment } = authentication ?? {}
    assert.equal([id, name, payment], [session.id, 'Ada', pendingPayment?.id ?? null])
    const target = isCharged ? pendingPayment?.id : session.id
    assert.equal(resultOrErrorCode(decision), { kind: 'authenticate', target })
  })
}

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

test('rejects an authentication that is not pending', async () => {
  const attempt = anAttempt(context, aPaymentSession(context))
  const { code, message } = await catchDomainError(() =>
    completeSessionAuthentication(attempt, true, context),
  )
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
      (await catchDomainError(() => completeSessionAuthentication(attempt, true, context))).code,
      /_unexpected_state$/,
    )
  }
  assert.match(
    (await catchDomainError(() => submitSession(anAttempt(context, session), {}, late))).message,
    /it is expired/,
  )
})

// The issuer of the slow card uses real time, which is far from the time of this test clock.
const slowContext = { ...context, wallNow: START + 500 * DAY }
const SLOW = '4000009000000060'
const EVERY_OTHER = '4000009000000078'

test('throws payment_processing for any other submission while a payment is processing', async () => {
  const attempt = anAttempt(slowContext, aPaymentSession(slowContext))
  const waiting = recordsAfter(attempt, submitSession(attempt, enteredCard(SLOW), slowContext))
  for (const again of [
    () => submitSession(waiting, enteredCard('4242424242424242'), slowContext),
    () => submitSession(waiting, enteredCard(SLOW), slowContext),
    () => completeSessionAuthentication(waiting, true, slowContext),
    () => completeSessionAuthentication(waiting, false, slowContext),
  ]) {
    const { code, details } = await catchDomainError(again)
    assert.equal([code, details.retryAfterSeconds], ['payment_processing', SLOW_CARD_SECONDS])
  }
})

test('saves the slow card immediately, without a processing payment', () => {
  const later = anAttempt(slowContext, aCheckout(slowContext, { start_date: START + DAY }))
  for (const number of [SLOW, EVERY_OTHER]) {
    const decision = submitSession(later, enteredCard(number), slowContext)
    assert.is((resultOrErrorCode(decision) as SessionSubmissionResult).kind, 'done')
    assert.not(eventTypesOf(decision.changes).includes('-'))
  }
})

/** Columns: ages of failed attempts in seconds, retry delay in seconds or null. */
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

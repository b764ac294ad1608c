import type { Decision } from '../../../src/domain/core/changes.ts'
import { alternatingCounterId, attemptCounterId, type Counter } from '../../../src/domain/core/counters.ts'
import {
  abandonPayment,
  cancelPaymentNow,
  chargeSavedCard,
  completePaymentAuthentication,
} from '../../../src/domain/payments/api-payments.ts'
import type { Authentication } from '../../../src/domain/payments/authentications.ts'
import type { Payment } from '../../../src/domain/payments/payments.ts'
import { aCard } from '../../support/account-samples.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import { aCustomer, aPayment, eventTypesOf } from '../../support/domain-samples.ts'
import { CHECKOUT_URL, createRuleContext, DAY, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/payments/api-payments')

const context = createRuleContext()
const customer = aCustomer(context)
const FIELDS = { customer: customer.id, amount: 4500, currency: 'eur' }

function counter(id: string, value: number): Counter {
  return { id, object: 'counter', value }
}

function charge(alias: string, more: { readonly off_session?: boolean; readonly counts?: number } = {}) {
  const card = aCard(context, alias)
  const { counts, ...fields } = more
  const known = (id: string) => (counts === undefined ? null : counter(id, counts))
  const records = {
    customer,
    card,
    alternatingCharges: known(alternatingCounterId(customer.id)),
    cardAttempts: known(attemptCounterId(card.id)),
  }
  const decision = chargeSavedCard(records, { ...FIELDS, ...fields }, context)
  return { card, decision, payment: lastOf<Payment>(decision, 'payment') }
}

function lastOf<T>({ changes }: Decision<unknown>, object: string): T {
  return changes.findLast(({ after }) => after?.object === object)?.after as T
}

function codeOf(decision: Decision<unknown>): string | null {
  return 'error' in decision ? (decision.error.details.decline_code ?? decision.error.code) : null
}

test('creates and succeeds an off-session payment of the card', () => {
  const { card, decision, payment } = charge('visa')
  assert.equal(eventTypesOf(decision.changes), ['payment.created', 'payment.succeeded'])
  assert.equal('result' in decision && decision.result, payment)
  assert.equal([payment.origin, payment.off_session, payment.payment_method], ['api', true, card.id])
  assert.equal([payment.description, payment.metadata], [null, {}])
})

test('returns the failed payment in the error of a decline', () => {
  const { decision, payment } = charge('insufficient_funds')
  assert.equal(eventTypesOf(decision.changes), ['payment.created', 'payment.failed'])
  assert.equal('error' in decision && decision.error.details.payment, payment)
  assert.is(codeOf(decision), 'insufficient_funds')
})

test('stores the authentication of an on-session payment under the id of the payment', () => {
  const { card, decision, payment } = charge('sca_always', { off_session: false })
  assert.equal(eventTypesOf(decision.changes), ['payment.created', 'payment.requires_action', '-'])
  const { id, payment: target, card: kept } = lastOf<Authentication>(decision, 'authentication')
  assert.equal([id, target, kept], [payment.id, payment.id, card.card])
  assert.is(payment.next_action?.redirect_to_url.url, `${CHECKOUT_URL}/3ds/${payment.id}`)
  assert.is(codeOf(decision), 'authentication_required')
})

test('counts attempts only for cards whose issuer decides by the attempt, and only off session', () => {
  const counted = charge('renewal_flaky')
  const { id, value } = lastOf<Counter>(counted.decision, 'counter')
  assert.equal(
    [id, value, codeOf(counted.decision)],
    [attemptCounterId(counted.card.id), 1, 'generic_decline'],
  )
  assert.is(codeOf(charge('renewal_flaky', { counts: 1 }).decision), null)
  for (const uncounted of [charge('visa'), charge('renewal_flaky', { off_session: false })])
    assert.is(lastOf<Counter>(uncounted.decision, 'counter'), undefined)
})

test('counts each charge with the alternating card, on and off session', () => {
  for (const off_session of [true, false]) {
    const { decision } = charge('every_other', { off_session, counts: 3 })
    const { id, value } = lastOf<Counter>(decision, 'counter')
    assert.equal([id, value], [alternatingCounterId(customer.id), 4])
    assert.is(codeOf(decision), 'generic_decline')
  }
})

test('throws payment_method_missing without a card', async () => {
  const records = { customer, card: null, alternatingCharges: null, cardAttempts: null }
  const { code, param, message } = await catchDomainError(() => chargeSavedCard(records, FIELDS, context))
  assert.equal([code, param], ['payment_method_missing', 'payment_method'])
  assert.match(message, /Customer '.+' has no default card\. Pass a saved card/)
})

/** Returns a payment that waits for 3-D Secure, with its authentication. */
function waiting(alias = 'sca_always') {
  const { decision, payment } = charge(alias, { off_session: false })
  return { payment, authentication: lastOf<Authentication>(decision, 'authentication') }
}

test('an approval or a rejection ends the authentication', () => {
  const approved = completePaymentAuthentication(waiting(), true, context)
  assert.equal(eventTypesOf(approved.changes), ['-', 'payment.succeeded'])
  const rejected = completePaymentAuthentication(waiting(), false, context)
  assert.equal(eventTypesOf(rejected.changes), ['-', 'payment.failed'])
  assert.is(codeOf(rejected), 'authentication_failed')
  const declined = completePaymentAuthentication(waiting('sca_no_funds'), true, context)
  assert.is(codeOf(declined), 'insufficient_funds')
})

test('a card that has expired by the approval is declined', () => {
  const { payment, authentication } = waiting()
  const card = { ...authentication.card, exp_month: 1, exp_year: 2020 }
  const decision = completePaymentAuthentication(
    { payment, authentication: { ...authentication, card } },
    true,
    context,
  )
  assert.is(codeOf(decision), 'expired_card')
})

test('canceling or abandoning a waiting payment removes its authentication', () => {
  const canceled = cancelPaymentNow(waiting(), context)
  assert.equal(eventTypesOf(canceled.changes), ['payment.canceled', '-'])
  assert.is(lastOf<Payment>(canceled, 'payment').canceled_reason, 'requested')
  const changes = abandonPayment(waiting(), createRuleContext(START + DAY))
  assert.equal(eventTypesOf(changes), ['payment.canceled', '-'])
  const { canceled_reason, canceled_at } = lastOf<Payment>({ changes, result: null }, 'payment')
  assert.equal([canceled_reason, canceled_at], ['abandoned', START + DAY])
})

for (const status of ['processing', 'succeeded', 'failed', 'canceled'] as const) {
  test(`throws payment_unexpected_state for the cancellation or authentication of a ${status} payment`, async () => {
    const pending = { payment: aPayment(context, { status }), authentication: null }
    for (const work of [
      () => cancelPaymentNow(pending, context),
      () => completePaymentAuthentication(pending, true, context),
    ]) {
      const { code, message } = await catchDomainError(work)
      assert.is(code, 'payment_unexpected_state')
      assert.match(message, `its status is ${status}, and it must be requires_action`)
    }
  })
}

test.run()

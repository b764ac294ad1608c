import { createPaymentSession } from '../../../src/domain/sessions/payment-sessions.ts'
import { completeSession, expireSession } from '../../../src/domain/sessions/sessions.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import { aCustomer, aPayment, aPaymentSession, eventTypesOf } from '../../support/domain-samples.ts'
import { CHECKOUT_URL, createRuleContext, DAY, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/sessions/payment-sessions')

test('creates an open, unpaid session that expires after a day', () => {
  const session = aPaymentSession(createRuleContext())
  assert.equal([session.status, session.payment_status, session.payment], ['open', 'unpaid', null])
  assert.equal([session.created, session.expires_at], [START, START + DAY])
  assert.is(session.url, `${CHECKOUT_URL}/sessions/${session.id}`)
})

test('rejects an expires_at that is out of range', async () => {
  const context = createRuleContext()
  const customer = aCustomer(context)
  const fields = {
    amount: 1,
    currency: 'eur',
    customer: customer.id,
    payment_method_types: ['card' as const],
    return_url: 'https://example.com',
    expires_at: START + 60,
  }
  assert.is(
    (await catchDomainError(() => createPaymentSession(fields, customer, context))).param,
    'expires_at',
  )
})

test('a completed session has its payment and completed_at', () => {
  const context = createRuleContext(START + 60)
  const session = aPaymentSession(createRuleContext())
  const payment = aPayment(context, { status: 'succeeded' })
  const { event, before, after } = completeSession(
    session,
    { payment_status: 'paid', payment: payment.id },
    context,
  )
  assert.equal([event, before], ['payment_session.completed', session])
  assert.equal(after, {
    ...session,
    status: 'complete',
    payment_status: 'paid',
    payment: payment.id,
    completed_at: START + 60,
  })
})

test('expiring a session first cancels a payment that requires action', () => {
  const context = createRuleContext(START + 9 * DAY)
  const session = aPaymentSession(createRuleContext())
  const waiting = aPayment(context, { status: 'requires_action' })
  const changes = expireSession(session, { reason: 'time', payment: waiting }, context)
  assert.equal(eventTypesOf(changes), ['payment.canceled', 'payment_session.expired'])
  assert.equal(changes[1]?.after, {
    ...session,
    status: 'expired',
    expired_at: session.expires_at,
    expiration_reason: 'time',
  })
})

test.run()

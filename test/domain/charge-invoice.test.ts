import { createAuthentication } from '../../src/domain/authentications.ts'
import { BillingUnitOfWork } from '../../src/domain/billing-unit-of-work.ts'
import type { RuleContext } from '../../src/domain/changes.ts'
import {
  chargeInvoice,
  EMPTY_COLLECTION_HISTORY,
  isRetryBlocked,
  skipRetry,
} from '../../src/domain/charge-invoice.ts'
import { incrementCounter } from '../../src/domain/counters.ts'
import type { ExhaustionPolicy } from '../../src/domain/dunning.ts'
import type { Payment } from '../../src/domain/payments.ts'
import { aCard, anAccount, anInvoice } from '../support/account-samples.ts'
import { aPayment, eventTypesOf } from '../support/domain-samples.ts'
import { createRuleContext, DAY, START } from '../support/rule-context.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/charge-invoice')

const context = createRuleContext()
const card = aCard(context)
const AUTOMATIC = { history: EMPTY_COLLECTION_HISTORY, isAutomatic: true, isOffSession: true }

function payment(status: Payment['status'], more: Partial<Payment> = {}): Payment {
  return aPayment(context, { status, payment_method: card.id, ...more })
}

const soft = payment('failed', { failure_code: 'card_declined', decline_code: 'insufficient_funds' })
const hard = payment('failed', { failure_code: 'card_declined', decline_code: 'lost_card' })
const expired = payment('failed', { failure_code: 'expired_card' })
const asks = payment('failed', { failure_code: 'authentication_required' })
const other = { ...hard, payment_method: 'pm_other' }

/** case, payments (newest first), whether automatic retries are blocked */
const RETRY_CASES: readonly (readonly [string, readonly Payment[], boolean])[] = [
  ['there was no payment', [], false],
  ['the last decline was soft', [soft], false],
  ['the last decline was hard', [hard], true],
  ['the card had expired', [expired], true],
  ['the card required authentication off-session', [asks], true],
  ['a soft decline followed a hard one', [soft, hard], false],
  ['a hard decline followed a soft one', [hard, soft], true],
  ['another card had a hard decline', [other], false],
  [
    'another card had a soft decline after the hard decline',
    [{ ...soft, payment_method: 'pm_other' }, hard],
    true,
  ],
  ['a later payment requires action', [payment('requires_action'), hard], true],
  ['a later payment was canceled', [payment('canceled'), hard], true],
  ['a payment without a card id had a hard decline', [{ ...hard, payment_method: null }], false],
]

for (const [when, payments, isBlocked] of RETRY_CASES) {
  test(`${isBlocked ? 'blocks' : 'allows'} a retry when ${when}`, () => {
    assert.is(isRetryBlocked(card, { ...EMPTY_COLLECTION_HISTORY, payments }), isBlocked)
  })
}

test('allows a retry when the customer has no card', () => {
  assert.not(
    isRetryBlocked(null, {
      ...EMPTY_COLLECTION_HISTORY,
      payments: [hard, { ...hard, payment_method: null }],
    }),
  )
})

/** card, trigger, cardholder, events */
const ATTEMPTS = `
  visa             automatic absent  py.created py.succeeded in.paid
  visa             manual    present py.created py.succeeded in.paid
  slow             automatic absent  py.created py.succeeded in.paid
  slow             manual    present py.created py.succeeded in.paid
  declined         automatic absent  py.created py.failed in.payment_failed sub.past_due
  declined         manual    absent  py.created py.failed in.payment_failed
  renewal_no_funds automatic absent  py.created py.failed in.payment_failed sub.past_due
  renewal_no_funds manual    present py.created py.succeeded in.paid
  sca_always       automatic absent  py.created py.failed in.payment_action_required sub.past_due
  sca_always       manual    absent  py.created py.failed in.payment_action_required
  sca_always       manual    present py.created py.requires_action in.payment_action_required -
  sca_setup        automatic absent  py.created py.succeeded in.paid
  every_other      automatic absent  - py.created py.succeeded in.paid
  -                automatic absent  in.payment_failed sub.past_due
`

for (const line of ATTEMPTS.trim().split('\n')) {
  const [alias = '', trigger, cardholder, ...events] = line.trim().split(/\s+/)
  test(`${trigger === 'manual' ? 'a manual' : 'an automatic'} attempt with card ${alias} and the cardholder ${cardholder} causes ${events.join(' ')}`, () => {
    const invoice = anInvoice(context)
    const billing = new BillingUnitOfWork(anAccount(context, { invoices: [invoice] }), context)
    const charged = alias === '-' ? null : aCard(context, alias)
    const options = { isAutomatic: trigger === 'automatic', isOffSession: cardholder === 'absent' }
    const result = chargeInvoice(billing, {
      invoice,
      history: EMPTY_COLLECTION_HISTORY,
      card: charged,
      ...options,
    })
    assert.equal(shortEventTypes(billing), events)
    assert.is(result.kind === 'paid', events.includes('in.paid'))
  })
}

function shortEventTypes(billing: BillingUnitOfWork): string[] {
  const names = { payment: 'py', invoice: 'in', subscription: 'sub' }
  return eventTypesOf(billing.changes).map((event) =>
    Object.entries(names).reduce((text, [long, name]) => text.replace(`${long}.`, `${name}.`), event),
  )
}

test('an automatic payment has the amount, customer, card and invoice, and is off-session', () => {
  const invoice = anInvoice(context, { test_clock: 'clock_1' })
  const billing = new BillingUnitOfWork(anAccount(context, { invoices: [invoice] }), context)
  chargeInvoice(billing, { ...AUTOMATIC, invoice, card })
  const created = billing.changes[0]?.after as Payment | undefined
  assert.equal(
    [created?.amount, created?.currency, created?.customer, created?.payment_method, created?.invoice],
    [120_000, 'eur', invoice.customer, card.id, invoice.id],
  )
  assert.equal(
    [created?.checkout_session, created?.payment_session, created?.off_session, created?.test_clock],
    [null, null, true, 'clock_1'],
  )
})

test('cancels a pending payment that requires authentication, and removes the authentication', () => {
  const invoice = anInvoice(context)
  const pendingPayment = payment('requires_action', { invoice: invoice.id })
  const authentication = createAuthentication({
    id: invoice.id,
    payment: pendingPayment.id,
    card: card.card,
    name: null,
  }).after
  const billing = new BillingUnitOfWork(anAccount(context, { invoices: [invoice] }), context)
  const history = { payments: [pendingPayment], authentication, pendingPayment, declineLog: null }
  chargeInvoice(billing, { ...AUTOMATIC, invoice, history, card })
  assert.equal(shortEventTypes(billing), ['py.canceled', '-', 'py.created', 'py.succeeded', 'in.paid'])
})

test('the alternating card declines every second charge', () => {
  const counter = incrementCounter(null, `every_other:${anAccount(context).subscription.customer}`).after
  const invoice = anInvoice(context)
  const account = anAccount(context)
  const counted = { ...counter, id: `every_other:${account.subscription.customer}` }
  const billing = new BillingUnitOfWork(
    { ...account, invoices: [invoice], alternatingCharges: counted },
    context,
  )
  chargeInvoice(billing, { ...AUTOMATIC, invoice, card: aCard(context, 'every_other') })
  assert.equal(shortEventTypes(billing), [
    '-',
    'py.created',
    'py.failed',
    'in.payment_failed',
    'sub.past_due',
  ])
})

test('declines an automatic payment with an expired card', () => {
  const late = createRuleContext(START + 8 * 365 * DAY)
  const invoice = anInvoice(late)
  const billing = new BillingUnitOfWork(anAccount(late, { invoices: [invoice] }), late)
  const result = chargeInvoice(billing, { ...AUTOMATIC, invoice, card })
  assert.is(result.kind === 'failed' && result.failure.code, 'expired_card')
})

/** policy, earlier attempts, events of a skipped retry, days until the next attempt */
const SKIPS = `
  cancel   1 in.updated                            5
  cancel   2 in.updated                            7
  cancel   3 in.updated sub.canceled in.updated    -
  unpaid   3 in.updated sub.unpaid                 -
  past_due 3 in.updated                            -
`

for (const line of SKIPS.trim().split('\n')) {
  const [policy, attempts, ...rest] = line.trim().split(/\s+/)
  const days = rest.pop()
  test(`a skipped retry after ${attempts} attempts with policy ${policy} causes ${rest.join(' ')} and ${days === '-' ? 'no next attempt' : `an attempt in ${days} days`}`, () => {
    const dunning = { retry_days: [3, 5, 7], on_exhausted: policy as ExhaustionPolicy }
    const strict: RuleContext = { ...context, dunning }
    const invoice = anInvoice(strict, { attempted: true, attempt_count: Number(attempts) })
    const account = anAccount(strict, { invoices: [invoice] })
    const pastDue = { ...account.subscription, status: 'past_due' } as const
    const billing = new BillingUnitOfWork({ ...account, subscription: pastDue }, strict)
    skipRetry(billing, invoice)
    assert.equal(shortEventTypes(billing), rest)
    const [after] = billing.invoices
    const next = days === '-' ? null : START + Number(days) * DAY
    assert.equal([after?.attempt_count, after?.next_payment_attempt], [Number(attempts) + 1, next])
  })
}

test('without retries the first failure cancels the subscription and stops all collection', () => {
  const strict: RuleContext = { ...context, dunning: { retry_days: [], on_exhausted: 'cancel' } }
  const [invoice, older] = [anInvoice(strict), anInvoice(strict, { attempted: true, attempt_count: 1 })]
  const billing = new BillingUnitOfWork(anAccount(strict, { invoices: [older, invoice] }), strict)
  chargeInvoice(billing, { ...AUTOMATIC, invoice, card: null })
  assert.equal(shortEventTypes(billing), [
    'in.payment_failed',
    'sub.past_due',
    'sub.canceled',
    'in.updated',
    'in.updated',
  ])
  assert.equal(
    billing.invoices.map(({ auto_advance }) => auto_advance),
    [false, false],
  )
})

test.run()

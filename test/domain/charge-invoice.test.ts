import { awaitBuyer } from '../../src/domain/authentications.ts'
import { BillingUnitOfWork } from '../../src/domain/billing-unit-of-work.ts'
import type { RuleContext } from '../../src/domain/changes.ts'
import { collect, isRuledOut, skipRetry, UNTRIED } from '../../src/domain/charge-invoice.ts'
import { countUp } from '../../src/domain/counters.ts'
import type { OnExhausted } from '../../src/domain/dunning.ts'
import type { Payment } from '../../src/domain/payments.ts'
import { aCard, anAccount, anInvoice } from '../support/account-samples.ts'
import { aPayment, told } from '../support/domain-samples.ts'
import { createRuleContext, DAY, START } from '../support/rule-context.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/collecting')

const context = createRuleContext()
const card = aCard(context)
const AUTOMATIC = { tried: UNTRIED, isAutomatic: true, isOffSession: true }

function payment(status: Payment['status'], more: Partial<Payment> = {}): Payment {
  return aPayment(context, { status, payment_method: card.id, ...more })
}

const soft = payment('failed', { failure_code: 'card_declined', decline_code: 'insufficient_funds' })
const hard = payment('failed', { failure_code: 'card_declined', decline_code: 'lost_card' })
const expired = payment('failed', { failure_code: 'expired_card' })
const asks = payment('failed', { failure_code: 'authentication_required' })
const other = { ...hard, payment_method: 'pm_other' }

/** attempts, newest first; whether they rule the card out */
const RULED_OUT: readonly (readonly [string, readonly Payment[], boolean])[] = [
  ['nothing was tried', [], false],
  ['the last decline was soft', [soft], false],
  ['the last decline was hard', [hard], true],
  ['the card had expired', [expired], true],
  ['its buyer was missing', [asks], true],
  ['a soft decline followed a hard one', [soft, hard], false],
  ['a hard decline followed a soft one', [hard, soft], true],
  ['another card was declined hard', [other], false],
  [
    'another card was declined softly since a hard decline',
    [{ ...soft, payment_method: 'pm_other' }, hard],
    true,
  ],
  ['a buyer was only asked since', [payment('requires_action'), hard], true],
  ['an attempt was only canceled since', [payment('canceled'), hard], true],
  ['a card that was not saved was declined hard', [{ ...hard, payment_method: null }], false],
]

for (const [when, payments, isOut] of RULED_OUT) {
  test(`a card is ${isOut ? 'ruled out' : 'tried again'} when ${when}`, () => {
    assert.is(isRuledOut(card, { ...UNTRIED, payments }), isOut)
  })
}

test('no card is not ruled out: its attempt fails for want of one', () => {
  assert.not(isRuledOut(null, { ...UNTRIED, payments: [hard, { ...hard, payment_method: null }] }))
})

/** card, by whom, whether the buyer is there; events */
const ATTEMPTS = `
  visa             automatic absent  py.created py.succeeded in.paid
  visa             by_hand   present py.created py.succeeded in.paid
  slow             automatic absent  py.created py.succeeded in.paid
  slow             by_hand   present py.created py.succeeded in.paid
  declined         automatic absent  py.created py.failed in.payment_failed sub.past_due
  declined         by_hand   absent  py.created py.failed in.payment_failed
  renewal_no_funds automatic absent  py.created py.failed in.payment_failed sub.past_due
  renewal_no_funds by_hand   present py.created py.succeeded in.paid
  sca_always       automatic absent  py.created py.failed in.payment_action_required sub.past_due
  sca_always       by_hand   absent  py.created py.failed in.payment_action_required
  sca_always       by_hand   present py.created py.requires_action in.payment_action_required -
  sca_setup        automatic absent  py.created py.succeeded in.paid
  every_other      automatic absent  py.created - py.succeeded in.paid
  -                automatic absent  in.payment_failed sub.past_due
`

for (const line of ATTEMPTS.trim().split('\n')) {
  const [alias = '', by, buyer, ...events] = line.trim().split(/\s+/)
  test(`an attempt with card ${alias}, ${by}, its buyer ${buyer}, leads to ${events.join(' ')}`, () => {
    const invoice = anInvoice(context)
    const billing = new BillingUnitOfWork(anAccount(context, { invoices: [invoice] }), context)
    const charged = alias === '-' ? null : aCard(context, alias)
    const how = { isAutomatic: by === 'automatic', isOffSession: buyer === 'absent' }
    const collected = collect(billing, { invoice, tried: UNTRIED, card: charged, ...how })
    assert.equal(short(billing), events)
    assert.is(collected.kind === 'paid', events.includes('in.paid'))
  })
}

function short(billing: BillingUnitOfWork): string[] {
  const names = { payment: 'py', invoice: 'in', subscription: 'sub' }
  return told(billing.changes).map((event) =>
    Object.entries(names).reduce((text, [long, name]) => text.replace(`${long}.`, `${name}.`), event),
  )
}

test('a charge tells whose it is, for what, and that nobody was there', () => {
  const invoice = anInvoice(context, { test_clock: 'clock_1' })
  const billing = new BillingUnitOfWork(anAccount(context, { invoices: [invoice] }), context)
  collect(billing, { ...AUTOMATIC, invoice, card })
  const made = billing.changes[0]?.after as Payment | undefined
  assert.equal(
    [made?.amount, made?.currency, made?.customer, made?.payment_method, made?.invoice],
    [120_000, 'eur', invoice.customer, card.id, invoice.id],
  )
  assert.equal(
    [made?.checkout_session, made?.payment_session, made?.off_session, made?.test_clock],
    [null, null, true, 'clock_1'],
  )
})

test('an attempt cancels one that waits for its buyer, and forgets the wait', () => {
  const invoice = anInvoice(context)
  const waitingPayment = payment('requires_action', { invoice: invoice.id })
  const authentication = awaitBuyer({
    id: invoice.id,
    payment: waitingPayment.id,
    card: card.card,
    name: null,
  }).after
  const billing = new BillingUnitOfWork(anAccount(context, { invoices: [invoice] }), context)
  const tried = { payments: [waitingPayment], authentication, waitingPayment, traceless: null }
  collect(billing, { ...AUTOMATIC, invoice, tried, card })
  assert.equal(short(billing), ['py.canceled', '-', 'py.created', 'py.succeeded', 'in.paid'])
})

test('the next of alternating charges is told by how many there were', () => {
  const alternations = countUp(null, `every_other:${anAccount(context).subscription.customer}`).after
  const invoice = anInvoice(context)
  const account = anAccount(context)
  const counted = { ...alternations, id: `every_other:${account.subscription.customer}` }
  const billing = new BillingUnitOfWork({ ...account, invoices: [invoice], alternations: counted }, context)
  collect(billing, { ...AUTOMATIC, invoice, card: aCard(context, 'every_other') })
  assert.equal(short(billing), ['py.created', '-', 'py.failed', 'in.payment_failed', 'sub.past_due'])
})

test('an expired card is declined by itself, whatever its issuer would say', () => {
  const late = createRuleContext(START + 8 * 365 * DAY)
  const invoice = anInvoice(late)
  const billing = new BillingUnitOfWork(anAccount(late, { invoices: [invoice] }), late)
  const collected = collect(billing, { ...AUTOMATIC, invoice, card })
  assert.is(collected.kind === 'failed' && collected.failure.code, 'expired_card')
})

/** policy, attempts so far, events of a retry that is skipped, next in days */
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
  test(`policy ${policy}: skipping after ${attempts} attempts leads to ${rest.join(' ')}, next in ${days}`, () => {
    const dunning = { retry_days: [3, 5, 7], on_exhausted: policy as OnExhausted }
    const strict: RuleContext = { ...context, dunning }
    const invoice = anInvoice(strict, { attempted: true, attempt_count: Number(attempts) })
    const account = anAccount(strict, { invoices: [invoice] })
    const behind = { ...account.subscription, status: 'past_due' } as const
    const billing = new BillingUnitOfWork({ ...account, subscription: behind }, strict)
    skipRetry(billing, invoice)
    assert.equal(short(billing), rest)
    const [after] = billing.invoices
    const next = days === '-' ? null : START + Number(days) * DAY
    assert.equal([after?.attempt_count, after?.next_payment_attempt], [Number(attempts) + 1, next])
  })
}

test('without retries the first failure is the last: behind and ended at once, with all that is owed', () => {
  const strict: RuleContext = { ...context, dunning: { retry_days: [], on_exhausted: 'cancel' } }
  const [invoice, older] = [anInvoice(strict), anInvoice(strict, { attempted: true, attempt_count: 1 })]
  const billing = new BillingUnitOfWork(anAccount(strict, { invoices: [older, invoice] }), strict)
  collect(billing, { ...AUTOMATIC, invoice, card: null })
  assert.equal(short(billing), [
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

import type { Subscription } from '../../../src/domain/billing/subscriptions.ts'
import { type Dispute, openDispute } from '../../../src/domain/payments/disputes.ts'
import { createSandboxRecord, expireSandbox } from '../../../src/domain/sandboxes/sandboxes.ts'
import {
  findDeadline,
  findNextSubscriptionJob,
  getClockQueue,
  getFirstAttemptQueue,
  getRetryQueue,
  REAL_TIME_QUEUE,
} from '../../../src/domain/schedule/deadlines.ts'
import { anInvoice, aSubscription } from '../../support/account-samples.ts'
import { aCheckout, aCustomer, aPayment, aPaymentSession } from '../../support/domain-samples.ts'
import { createRuleContext, DAY, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/schedule/deadlines')

test('an open session is due at its expiry, and a closed session has no deadline', () => {
  const context = createRuleContext()
  for (const session of [aCheckout(context), aPaymentSession(context)]) {
    assert.equal(findDeadline(session), { queue: 'real', at: START + DAY, rank: 0 })
    for (const status of ['complete', 'expired'] as const) {
      assert.is(findDeadline({ ...session, status } as typeof session), null)
    }
  }
})

test('the deadline of an object on a test clock is in the queue of the clock', () => {
  assert.is(getClockQueue(null), REAL_TIME_QUEUE)
  const session = { ...aCheckout(createRuleContext()), test_clock: 'clock_1' }
  assert.is(findDeadline(session)?.queue, getClockQueue('clock_1'))
})

const delivery = (fields: object) => ({
  object: 'webhook_delivery',
  id: 'whd_1',
  webhook_endpoint: 'we_1',
  attempt: 1,
  trigger: 'automatic',
  status: 'pending',
  next_attempt_at: START + 5,
  ...fields,
})

test('a pending delivery is due at next_attempt_at, in the queue of its endpoint', () => {
  assert.equal(findDeadline(delivery({})), { queue: getFirstAttemptQueue('we_1'), at: START + 5, rank: 0 })
  assert.is(findDeadline(delivery({ next_attempt_at: null })), null)
  assert.is(findDeadline(delivery({ status: 'succeeded' })), null)
  assert.is(findDeadline(delivery({ status: 'failed' })), null)
  assert.is(findDeadline(delivery({ status: 'skipped' })), null)
})

test('retries and manual delivery attempts have a separate queue', () => {
  assert.is(findDeadline(delivery({ trigger: 'manual' }))?.queue, getRetryQueue('we_1'))
  assert.equal(findDeadline(delivery({ attempt: 2 })), {
    queue: getRetryQueue('we_1'),
    at: START + 5,
    rank: 0,
  })
  assert.not.equal(getRetryQueue('we_1'), getFirstAttemptQueue('we_1'))
})

test('a subscription is due at its start and at each period end, until it is canceled', () => {
  const active = aSubscription(createRuleContext())
  const pending: Subscription = { ...active, status: 'pending', current_period_end: null }
  assert.equal(findDeadline(pending), { queue: 'real', at: START, rank: 1 })
  for (const status of ['active', 'past_due', 'unpaid'] as const) {
    const live: Subscription = { ...active, status }
    assert.equal(findDeadline(live), { queue: 'real', at: START + 31 * DAY, rank: 7 })
  }
  const canceled: Subscription = { ...active, status: 'canceled' }
  assert.is(findDeadline(canceled), null)
})

test('a trial is due at its end, and a subscription paused by the end of its trial is due only at resumes_at', () => {
  const trial: Subscription = { ...aSubscription(createRuleContext()), status: 'trialing' }
  assert.equal(findDeadline(trial), { queue: 'real', at: START + 31 * DAY, rank: 1 })
  assert.is(findNextSubscriptionJob(trial)?.job, 'trialEnd')
  const paused: Subscription = { ...trial, status: 'paused', current_period_end: null }
  assert.is(findDeadline(paused), null)
  const pause_collection = { behavior: 'void', resumes_at: START + DAY } as const
  assert.equal(findNextSubscriptionJob({ ...paused, pause_collection }), {
    job: 'resumeCollection',
    at: START + DAY,
  })
})

/** Columns: resumes_at and period end as days from now, then days until the first job and its rank. */
const PAUSED = [
  [null, 31, 31, 7],
  [30, 31, 30, 5],
  [31, 31, 31, 5],
  [32, 31, 31, 7],
  [10, null, 0, 1],
] as const

for (const [resumes, end, days, rank] of PAUSED) {
  test(`a subscription that resumes on day ${resumes} in a period until day ${end} is due on day ${days}`, () => {
    const resumes_at = resumes && START + resumes * DAY
    const current_period_end = end && START + end * DAY
    const pause_collection = { behavior: 'void', resumes_at } as const
    const subscription = { ...aSubscription(createRuleContext()), pause_collection, current_period_end }
    assert.equal(findDeadline(subscription), { queue: 'real', at: START + days * DAY, rank })
    assert.is(findDeadline({ ...subscription, status: 'canceled' } as Subscription), null)
  })
}

test('the next job of a subscription is its start, the resumption of collection or the end of its period', () => {
  const active = aSubscription(createRuleContext())
  const pause_collection = { behavior: 'void', resumes_at: START + DAY } as const
  assert.is(findNextSubscriptionJob(active)?.job, 'periodEnd')
  assert.is(findNextSubscriptionJob({ ...active, current_period_end: null })?.job, 'start')
  assert.is(findNextSubscriptionJob({ ...active, pause_collection })?.job, 'resumeCollection')
  assert.is(findNextSubscriptionJob({ ...active, status: 'canceled' }), null)
})

test('a discount job is due at the end of the last discounted period, unless the subscription ends then', () => {
  const discount = { ...ENDED_DISCOUNT, invoice: null, end: START + 31 * DAY }
  const ending: Subscription = { ...aSubscription(createRuleContext()), discount }
  assert.equal(findNextSubscriptionJob(ending), { job: 'endDiscount', at: START + 31 * DAY })
  assert.is(findNextSubscriptionJob({ ...ending, cancel_at_period_end: true })?.job, 'periodEnd')
  const longer = { ...discount, end: START + 32 * DAY }
  assert.is(findNextSubscriptionJob({ ...ending, discount: longer })?.job, 'periodEnd')
  assert.is(
    findNextSubscriptionJob({ ...ending, discount: { ...longer, invoice: 'in_1' } })?.job,
    'endDiscount',
  )
})

test('an invoice is due at next_payment_attempt', () => {
  const invoice = anInvoice(createRuleContext(), { test_clock: 'clock_1' })
  assert.is(findDeadline(invoice), null)
  const next = { ...invoice, next_payment_attempt: START + DAY }
  assert.equal(findDeadline(next), { queue: 'clock:clock_1', at: START + DAY, rank: 4 })
})

const ENDED_DISCOUNT: NonNullable<Subscription['discount']> = {
  ...{ coupon: 'coup_1', promotion_code: null, name: null, percent_off: 5, amount_off: null },
  ...{ duration: 'once', start: START, end: null, invoice: 'in_1' },
}

/** The order of jobs that are due at the same time; jobs in one line have the same rank. */
const JOB_ORDER = `
  checkout_session payment_session
  subscription:pending subscription:trialing
  timer:refund_succeeds timer:refund_fails timer:issuer_answers
  payment dispute:under_review
  invoice
  subscription:paused
  subscription:discounted
  subscription:active subscription:past_due subscription:unpaid
  timer:invoice_overdue timer:trial_will_end
  dispute:needs_response dispute:warning_under_review
  api_key
`

function dueRecords(): Map<string, { readonly object: string }> {
  const context = createRuleContext()
  const active = aSubscription(context)
  const subscription = (status: Subscription['status'], more: Partial<Subscription> = {}): Subscription => ({
    ...active,
    ...more,
    status,
  })
  const { payment_method_details: details } = aPayment(context)
  const payment = aPayment(context, {
    ...{ status: 'succeeded', succeeded_at: START, amount_captured: 1000 },
    payment_method_details: { ...details, card: details.card && { ...details.card, last4: '0259' } },
  })
  const { result } = openDispute(payment, { reason: 'general' }, context)
  const dispute = (status: Dispute['status'], submitted: number | null = null): Dispute => ({
    ...result,
    ...{ status, evidence_due_by: START, evidence: { text: null, submitted_at: submitted } },
  })
  const timer = (what: string) => ({ object: 'timer', id: 'id', what, at: START, test_clock: null })
  return new Map<string, { readonly object: string }>([
    ['checkout_session', aCheckout(context)],
    ['payment_session', aPaymentSession(context)],
    ['subscription:pending', subscription('pending', { current_period_end: null })],
    [
      'subscription:paused',
      subscription('active', { pause_collection: { behavior: 'void', resumes_at: START } }),
    ],
    ['subscription:discounted', subscription('active', { discount: ENDED_DISCOUNT })],
    ...(['trialing', 'active', 'past_due', 'unpaid'] as const).map(
      (status) => [`subscription:${status}`, subscription(status)] as const,
    ),
    ['payment', payment],
    ['dispute:under_review', dispute('under_review', START - 3600)],
    ...(['needs_response', 'warning_under_review'] as const).map(
      (status) => [`dispute:${status}`, dispute(status)] as const,
    ),
    ['invoice', anInvoice(context, { next_payment_attempt: START })],
    ...['refund_succeeds', 'refund_fails', 'issuer_answers', 'invoice_overdue', 'trial_will_end'].map(
      (what) => [`timer:${what}`, timer(what)] as const,
    ),
    ['api_key', { object: 'api_key', status: 'active', expires_at: START } as { readonly object: string }],
  ])
}

test('jobs that are due at the same time run in the order of the table', () => {
  const records = dueRecords()
  const lines = JOB_ORDER.trim()
    .split('\n')
    .map((line) => line.trim().split(' '))
  assert.equal(lines.flat().sort(), [...records.keys()].sort())
  const ranks = lines.map((jobs) => jobs.map((job) => findDeadline(records.get(job) ?? { object: '' })?.rank))
  for (const line of ranks) assert.is(new Set(line).size, 1)
  const firsts = ranks.map(([rank]) => rank ?? Number.NaN)
  for (const [index, rank] of firsts.slice(1).entries()) assert.ok(rank > (firsts[index] ?? Number.NaN))
})

test('an API payment that requires authentication is due a day after its creation', () => {
  const payment = aPayment(createRuleContext(), { status: 'requires_action', origin: 'api' })
  assert.equal(findDeadline(payment), { queue: 'real', at: START + DAY, rank: 0 })
  assert.is(findDeadline({ ...payment, test_clock: 'clock_1' } as typeof payment)?.queue, 'clock:clock_1')
  assert.is(findDeadline({ ...payment, status: 'succeeded' } as typeof payment), null)
  for (const origin of ['invoice', 'payment_session'] as const)
    assert.is(findDeadline({ ...payment, origin } as typeof payment), null)
})

test('an object of any other type has no deadline', () => {
  const context = createRuleContext()
  const records = [aCustomer(context), aPayment(context), { object: 'event' }, { object: 'toString' }]
  for (const record of records) assert.is(findDeadline(record), null)
})

test('an active sandbox is due at expires_at, in real time', () => {
  const sandbox = createSandboxRecord({ expires_at: START + DAY }, 'memory', createRuleContext())
  assert.equal(findDeadline(sandbox), { queue: REAL_TIME_QUEUE, at: START + DAY, rank: 10 })
  assert.is(findDeadline({ ...sandbox, expires_at: null } as typeof sandbox), null)
  assert.is(findDeadline(expireSandbox(sandbox).after), null)
})

test.run()

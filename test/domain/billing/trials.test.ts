import { updateSubscription } from '../../../src/domain/billing/apply-subscription-change.ts'
import type { BillingRecords } from '../../../src/domain/billing/billing-unit-of-work.ts'
import type { Subscription } from '../../../src/domain/billing/subscriptions.ts'
import { scheduleTrialNotice } from '../../../src/domain/billing/trials.ts'
import type { TimerRecord } from '../../../src/domain/time/timers.ts'
import { aCard, anAccount, aSubscription } from '../../support/account-samples.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import { createRuleContext, DAY, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/billing/trials')

const END = START + 14 * DAY

function aTrial(more: Partial<Subscription> = {}): Subscription {
  return aSubscription(createRuleContext(), {
    status: 'trialing',
    billing_cycle_anchor: END,
    current_period_start: START,
    current_period_end: END,
    period_index: -1,
    trial_start: START,
    trial_end: END,
    trial_settings: { missing_payment_method: 'create_invoice' },
    ...more,
  })
}

const isSubscription = (record: object | null): record is Subscription =>
  record !== null && 'period_index' in record

/** Columns: days from now to the end of the trial, days from now to its notice. */
const NOTICES: readonly (readonly [number, number | 'now'])[] = [
  [14, 11],
  [4, 1],
  [3, 'now'],
  [1, 'now'],
]

for (const [days, notice] of NOTICES) {
  test(`the end of a trial in ${days} days is announced ${notice === 'now' ? notice : `in ${notice} days`}`, () => {
    const context = createRuleContext(END - days * DAY)
    const [change] = scheduleTrialNotice(aTrial(), context)
    if (notice === 'now') assert.is(change?.event, 'subscription.trial_will_end')
    else {
      const { id, test_clock } = aTrial()
      const at = context.now + notice * DAY
      assert.equal(change?.after, { id, what: 'trial_will_end', at, test_clock, object: 'timer' })
    }
  })
}

function recordsAfter(
  fields: Parameters<typeof updateSubscription>[1],
  more: Partial<Subscription> = {},
  billing: Partial<BillingRecords> = {},
) {
  const subscription = aTrial(more)
  const { id, test_clock } = subscription
  const trialTimer: TimerRecord = {
    id,
    object: 'timer',
    what: 'trial_will_end',
    at: END - 3 * DAY,
    test_clock,
  }
  const account = anAccount(createRuleContext(), { subscription, ...billing })
  const records = { account, billed: [], customerItems: [], trialTimer }
  const { changes } = updateSubscription(records, fields, createRuleContext())
  return changes.map(({ after }) => after)
}

const change = (...args: Parameters<typeof recordsAfter>) => recordsAfter(...args).findLast(isSubscription)

test('a later trial end postpones the event trial_will_end', () => {
  const { id, test_clock } = aTrial()
  const timer = { id, what: 'trial_will_end', at: END - 2 * DAY, test_clock, object: 'timer' }
  assert.equal(recordsAfter({ trial_end: END + DAY }).at(-1), timer)
})

test('with error_if_incomplete, ending a trial now changes nothing when the charge fails', async () => {
  for (const [card, code] of [
    [aCard(createRuleContext(), 'renewal_no_funds'), 'card_declined'],
    [null, 'payment_method_missing'],
  ] as const) {
    const end = (payment_behavior: 'allow_incomplete' | 'error_if_incomplete') =>
      change({ trial_end: 'now', payment_behavior }, {}, { card })
    assert.is(end('allow_incomplete')?.status, 'past_due')
    const error = await catchDomainError(() => end('error_if_incomplete'))
    assert.is(error.code, code)
    assert.match(error.message, 'The subscription was not changed.')
  }
})

test('rejects an end that is not in the future, with a hint on how to end the trial now', async () => {
  const { code, param, message } = await catchDomainError(() => change({ trial_end: START }))
  assert.equal([code, param], ['timestamp_invalid', 'trial_end'])
  assert.match(message, /use 'now'/)
  const far = await catchDomainError(() => change({ trial_end: END * 2 }))
  assert.not.match(far.message, /'now'/)
})

test('rejects trial_end for a subscription without a trial', async () => {
  for (const status of ['pending', 'active', 'past_due', 'unpaid', 'paused'] as const) {
    const { code, param } = await catchDomainError(() => change({ trial_end: 'now' }, { status }))
    assert.equal([code, param], ['subscription_unexpected_state', 'trial_end'])
  }
})

test.run()

import { changeSubscription } from '../../../src/domain/billing/apply-subscription-change.ts'
import type { BillingAccount } from '../../../src/domain/billing/billing-unit-of-work.ts'
import type { Invoice } from '../../../src/domain/billing/invoices.ts'
import type { Subscription } from '../../../src/domain/billing/subscriptions.ts'
import {
  announceTrialEnd,
  processTrialEnd,
  processTrialNotice,
  resumePausedSubscription,
} from '../../../src/domain/billing/trials.ts'
import type { Change, Decision } from '../../../src/domain/core/changes.ts'
import type { Timer } from '../../../src/domain/time/timers.ts'
import { aCard, anAccount, aSubscription } from '../../support/account-samples.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import { eventTypesOf } from '../../support/domain-samples.ts'
import { createRuleContext, DAY, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/billing/trials')

const END = START + 14 * DAY
const BILLED = ['invoice.created', '-', 'invoice.finalized']
const PAID = ['payment.created', 'payment.succeeded', 'invoice.paid']

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

function account(more: Partial<Subscription> = {}, records: Partial<BillingAccount> = {}): BillingAccount {
  return anAccount(createRuleContext(), { subscription: aTrial(more), ...records })
}

function changesOf(decision: Decision<unknown>): readonly Change[] {
  return decision.changes
}

function lastOf<T>(changes: readonly Change[], object: string): T {
  return changes.findLast(({ after }) => after?.object === object)?.after as T
}

/** days from now to the end of the trial, its notice in days from now */
const NOTICES: readonly (readonly [number, number | 'now'])[] = [
  [14, 11],
  [4, 1],
  [3, 'now'],
  [1, 'now'],
]

for (const [days, notice] of NOTICES) {
  test(`the end of a trial in ${days} days is announced ${notice === 'now' ? notice : `in ${notice} days`}`, () => {
    const context = createRuleContext(END - days * DAY)
    const [change] = announceTrialEnd(aTrial(), context)
    if (notice === 'now') assert.is(change?.event, 'subscription.trial_will_end')
    else {
      const { id, test_clock } = aTrial()
      const at = context.now + notice * DAY
      assert.equal(change?.after, { id, what: 'trial_will_end', at, test_clock, object: 'timer' })
    }
  })
}

test('only a trial is announced', () => {
  for (const status of ['active', 'paused', 'canceled'] as const) {
    assert.equal(announceTrialEnd(aTrial({ status }), createRuleContext()), [])
    assert.equal(processTrialNotice(aTrial({ status })), [])
  }
  assert.equal(eventTypesOf(processTrialNotice(aTrial())), ['subscription.trial_will_end'])
})

type Missing = NonNullable<Subscription['trial_settings']>['missing_payment_method']

const missing = (missing_payment_method: Missing) => ({ trial_settings: { missing_payment_method } })
const SENT = { collection_method: 'send_invoice', days_until_due: 30 } as const

/** case, subscription, whether it has a card, events of the end */
const ENDS: readonly (readonly [string, Partial<Subscription>, boolean, readonly string[]])[] = [
  ['with a card', {}, true, ['subscription.started', ...BILLED, ...PAID]],
  [
    'with a card that cancels without one',
    missing('cancel'),
    true,
    ['subscription.started', ...BILLED, ...PAID],
  ],
  [
    'without a card',
    {},
    false,
    ['subscription.started', ...BILLED, 'invoice.payment_failed', 'subscription.past_due'],
  ],
  ['without a card that cancels', missing('cancel'), false, ['subscription.canceled']],
  ['without a card that pauses', missing('pause'), false, ['subscription.paused']],
  [
    'whose invoices are sent',
    { ...missing('pause'), ...SENT },
    false,
    ['subscription.started', ...BILLED, 'invoice.sent', '-'],
  ],
  ['with cancel_at_period_end', { cancel_at_period_end: true }, true, ['subscription.canceled']],
  [
    'with cancel_at_period_end that pauses',
    { ...missing('pause'), cancel_at_period_end: true },
    false,
    ['subscription.canceled'],
  ],
]

for (const [name, more, hasCard, expected] of ENDS) {
  test(`the end of a trial ${name} causes ${expected.join(', ')}`, () => {
    const records = hasCard ? account(more) : account(more, { card: null })
    assert.equal(eventTypesOf(changesOf(processTrialEnd(records, createRuleContext(END)))), expected)
  })
}

test('period 0 starts at the end of the trial and is billed as a cycle', () => {
  const changes = changesOf(processTrialEnd(account(), createRuleContext(END)))
  const subscription = lastOf<Subscription>(changes, 'subscription')
  const invoice = lastOf<Invoice>(changes, 'invoice')
  assert.equal([subscription.status, subscription.period_index], ['active', 0])
  assert.equal([subscription.current_period_start, subscription.billing_cycle_anchor], [END, END])
  assert.equal(
    [invoice.billing_reason, invoice.period_start, invoice.total],
    ['subscription_cycle', END, 120_000],
  )
})

test('a subscription that ends with its trial has the reason', () => {
  const records = account(missing('cancel'), { card: null })
  const changes = changesOf(processTrialEnd(records, createRuleContext(END)))
  assert.is(lastOf<Subscription>(changes, 'subscription').cancellation_reason, 'missing_payment_method')
})

function change(
  fields: Parameters<typeof changeSubscription>[1],
  {
    now = START,
    timer = true,
    more = {},
    billing = {},
  }: {
    now?: number
    timer?: boolean
    more?: Partial<Subscription>
    billing?: Partial<BillingAccount>
  } = {},
): { readonly changes: readonly Change[]; readonly subscription: Subscription } {
  const { id, test_clock } = aTrial()
  const trialTimer: Timer = { id, object: 'timer', what: 'trial_will_end', at: END - 3 * DAY, test_clock }
  const records = {
    account: account(more, billing),
    billed: [],
    customerItems: [],
    trialTimer: timer ? trialTimer : null,
  }
  const { changes } = changeSubscription(records, fields, createRuleContext(now))
  return { changes, subscription: lastOf<Subscription>(changes, 'subscription') }
}

test('a later end moves the period, the billing anchor and the notice', () => {
  const { changes, subscription } = change({ trial_end: END + DAY })
  assert.equal(eventTypesOf(changes), ['subscription.updated', '-'])
  const { trial_end, billing_cycle_anchor, current_period_end } = subscription
  assert.equal([trial_end, billing_cycle_anchor, current_period_end], [END + DAY, END + DAY, END + DAY])
  assert.is(lastOf<Timer>(changes, 'timer').at, END - 2 * DAY)
})

test('an end within three days is announced at once, unless the trial was already announced', () => {
  const soon = { trial_end: START + DAY }
  assert.equal(eventTypesOf(change(soon).changes), [
    'subscription.updated',
    '-',
    'subscription.trial_will_end',
  ])
  assert.is(change(soon).changes[1]?.after, null)
  assert.equal(eventTypesOf(change(soon, { timer: false }).changes), ['subscription.updated'])
})

test('an announced trial that gets longer than three days is announced again', () => {
  const { changes } = change({ trial_end: END + 10 * DAY }, { now: END - DAY, timer: false })
  assert.equal(eventTypesOf(changes), ['subscription.updated', '-'])
  assert.is(lastOf<Timer>(changes, 'timer').at, END + 7 * DAY)
})

test('the same end changes nothing, and other fields change in the same event', () => {
  assert.equal(change({ trial_end: END }).changes, [])
  const { changes, subscription } = change({ trial_end: END + DAY, description: 'Attic' })
  assert.equal(eventTypesOf(changes), ['subscription.updated', '-'])
  assert.is(subscription.description, 'Attic')
})

test('an immediate end starts period 0 now', () => {
  const { changes, subscription } = change({ trial_end: 'now' }, { now: START + DAY })
  assert.equal(eventTypesOf(changes), ['subscription.started', ...BILLED, ...PAID])
  const { trial_end, billing_cycle_anchor, current_period_start, period_index } = subscription
  assert.equal(
    [trial_end, billing_cycle_anchor, current_period_start],
    [START + DAY, START + DAY, START + DAY],
  )
  assert.is(period_index, 0)
})

test('an immediate end whose charge fails changes nothing if requested', async () => {
  for (const [card, code] of [
    [aCard(createRuleContext(), 'renewal_no_funds'), 'card_declined'],
    [null, 'payment_method_missing'],
  ] as const) {
    const end = (payment_behavior: 'allow_incomplete' | 'error_if_incomplete') =>
      change({ trial_end: 'now', payment_behavior }, { billing: { card } })
    assert.is(end('allow_incomplete').subscription.status, 'past_due')
    const error = await catchDomainError(() => end('error_if_incomplete'))
    assert.is(error.code, code)
    assert.match(error.message, 'The subscription was not changed.')
  }
})

test('rejects an end that is not in the future and names the way to end a trial now', async () => {
  const { code, param, message } = await catchDomainError(() => change({ trial_end: START }))
  assert.equal([code, param], ['timestamp_invalid', 'trial_end'])
  assert.match(message, /use 'now'/)
  const far = await catchDomainError(() => change({ trial_end: END * 2 }))
  assert.not.match(far.message, /'now'/)
})

test('rejects another end of a subscription without a trial', async () => {
  for (const status of ['pending', 'active', 'past_due', 'unpaid', 'paused'] as const) {
    const { code, param } = await catchDomainError(() => change({ trial_end: 'now' }, { more: { status } }))
    assert.equal([code, param], ['subscription_unexpected_state', 'trial_end'])
  }
})

const PAUSED: Partial<Subscription> = {
  status: 'paused',
  current_period_start: null,
  current_period_end: null,
  ...missing('pause'),
}

test('a resumed subscription starts period 0 now and is billed', () => {
  const now = END + 9 * DAY
  const changes = changesOf(resumePausedSubscription(account(PAUSED), createRuleContext(now)))
  assert.equal(eventTypesOf(changes), ['subscription.resumed', ...BILLED, ...PAID])
  const { status, billing_cycle_anchor, current_period_start, trial_end, latest_invoice } =
    lastOf<Subscription>(changes, 'subscription')
  assert.equal([status, billing_cycle_anchor, current_period_start, trial_end], ['active', now, now, END])
  const invoice = lastOf<Invoice>(changes, 'invoice')
  assert.equal([invoice.id, invoice.billing_reason], [latest_invoice, 'subscription_cycle'])
})

test('resuming requires a card and a paused subscription', async () => {
  const resume = async (records: BillingAccount) =>
    (await catchDomainError(() => resumePausedSubscription(records, createRuleContext(END)))).code
  assert.is(await resume(account(PAUSED, { card: null })), 'payment_method_missing')
  assert.is(await resume(account()), 'subscription_unexpected_state')
  assert.is(await resume(account({ status: 'canceled' }, { card: null })), 'subscription_unexpected_state')
})

test.run()

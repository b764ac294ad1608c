import type { BilledLine } from '../../../src/domain/billing/prorations.ts'
import {
  type SubscriptionChangeFields,
  validateSubscriptionChange,
  withoutChange,
} from '../../../src/domain/billing/subscription-change-params.ts'
import { planSubscriptionChange, prorateRest } from '../../../src/domain/billing/subscription-changes.ts'
import type { Subscription } from '../../../src/domain/billing/subscriptions.ts'
import { catchDomainError } from '../../../src/domain/core/domain-error.ts'
import { aSubscription } from '../../support/account-samples.ts'
import { regularLine } from '../../support/prorations.ts'
import { createRuleContext, DAY, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/billing/subscription-changes')

const MONTH = { start: START, end: START + 31 * DAY }
const HALFWAY = START + 15.5 * DAY
const active = aSubscription(createRuleContext())
const [rent] = active.items
if (rent === undefined) throw new Error('the sample has an item')
const LINE = regularLine(rent, MONTH)
const DOUBLED = { items: [{ id: rent.id, quantity: 2 }] }

interface PlanOptions {
  readonly now?: number
  readonly billed?: readonly BilledLine[]
}

function plan(
  subscription: Subscription,
  change: SubscriptionChangeFields,
  { now = HALFWAY, billed = [LINE] }: PlanOptions = {},
) {
  return planSubscriptionChange({ subscription, billed }, change, createRuleContext(now))
}

function errorOf(subscription: Subscription, change: SubscriptionChangeFields, options: PlanOptions = {}) {
  return catchDomainError(() => plan(subscription, change, options))
}

const amountsOf = ({ prorations }: ReturnType<typeof plan>) => prorations.map(({ amount }) => amount)

test('prorates a changed quantity for the rest of the period', () => {
  const change = plan(active, DOUBLED)
  assert.equal(amountsOf(change), [-50_000, 100_000])
  assert.equal(change.fields, { items: [{ ...rent, quantity: 2 }] })
  assert.is(change.invoicing, 'nothing')
})

test('invoices prorations at once if requested, unless the subscription is unpaid or nothing changes', () => {
  const now = { proration_behavior: 'always_invoice' } as const
  assert.is(plan(active, { ...DOUBLED, ...now }).invoicing, 'items')
  assert.is(plan({ ...active, status: 'past_due' }, { ...DOUBLED, ...now }).invoicing, 'items')
  assert.is(plan({ ...active, status: 'unpaid' }, { ...DOUBLED, ...now }).invoicing, 'nothing')
  assert.is(plan(active, now).invoicing, 'nothing')
})

test('changes prices without prorations if requested', () => {
  const change = plan(active, { ...DOUBLED, proration_behavior: 'none' })
  assert.equal([change.prorations, change.invoicing], [[], 'nothing'])
})

test('another interval starts a period now, with a credit for the old one', () => {
  const change = plan(active, { interval: 'year' })
  assert.equal(amountsOf(change), [-50_000])
  assert.is(change.invoicing, 'period')
  assert.equal(change.fields, {
    items: active.items,
    interval: 'year',
    interval_count: 1,
    billing_cycle_anchor: HALFWAY,
    current_period_start: HALFWAY,
    current_period_end: HALFWAY + 366 * DAY,
    period_index: 0,
  })
})

test('the same interval starts no period, and another count does', () => {
  assert.is(plan(active, { interval: 'month' }).invoicing, 'nothing')
  assert.is(plan(active, { interval_count: 1 }).invoicing, 'nothing')
  assert.equal(plan(active, { interval_count: 3 }).fields.interval_count, 3)
  assert.is(plan({ ...active, interval_count: 3 }, { interval: 'month' }).fields.interval_count, 1)
})

test('a period that starts now keeps its interval, and credits nothing if requested', () => {
  const anchored = { billing_cycle_anchor: 'now', proration_behavior: 'none' } as const
  const change = plan(active, anchored)
  assert.equal([change.prorations, change.invoicing], [[], 'period'])
  assert.equal([change.fields.billing_cycle_anchor, change.fields.interval], [HALFWAY, undefined])
})

test('prorates from an earlier time of the period', () => {
  assert.equal(amountsOf(plan(active, { ...DOUBLED, proration_date: START })), [-100_000, 200_000])
  const { fields } = plan(active, { interval: 'year', proration_date: START + DAY })
  assert.equal([fields.billing_cycle_anchor, fields.current_period_start], [START + DAY, START + DAY])
})

test('throws for a time outside the period or before the last proration', () => {
  const cases = [
    [START - 1, /starts at .+\. Use a time from then until now, or omit proration_date\.$/],
    [HALFWAY + 1, /it is in the future\. Use the current time or an earlier one, or omit proration_date\.$/],
  ] as const
  for (const [proration_date, message] of cases) {
    const error = errorOf(active, { ...DOUBLED, proration_date })
    assert.equal([error?.code, error?.details.param], ['proration_date_out_of_range', 'proration_date'])
    assert.match(error?.message ?? '', message)
  }
  const earlier = plan(active, DOUBLED, { now: START + 9 * DAY }).prorations
  const billed = { billed: [LINE, ...earlier] }
  const doubled = { ...active, items: [{ ...rent, quantity: 2 }] }
  const tripled = { items: [{ id: rent.id, quantity: 3 }] }
  assert.is(
    errorOf(doubled, { ...tripled, proration_date: START + 9 * DAY - 1 }, billed)?.code,
    'proration_date_out_of_range',
  )
  assert.is(plan(doubled, { ...tripled, proration_date: START + 9 * DAY }, billed).prorations.length, 2)
})

test('throws when a new period would already have ended', () => {
  const error = errorOf(active, { interval: 'day', proration_date: HALFWAY - DAY })
  assert.is(error?.code, 'proration_date_out_of_range')
  assert.is(plan(active, { interval: 'day', proration_date: HALFWAY - DAY + 1 }).invoicing, 'period')
})

test('throws for a period of more than three years', () => {
  assert.is(errorOf(active, { interval_count: 37 })?.code, 'interval_count_out_of_range')
  assert.is(
    errorOf({ ...active, status: 'pending' }, { interval_count: 37 })?.code,
    'interval_count_out_of_range',
  )
})

test('a subscription whose periods have not begun just gets the new prices', () => {
  const pending: Subscription = {
    ...active,
    status: 'pending',
    current_period_start: null,
    current_period_end: null,
  }
  const change = plan(pending, { ...DOUBLED, interval: 'year', proration_behavior: 'always_invoice' })
  assert.equal(change, {
    fields: { items: [{ ...rent, quantity: 2 }], interval: 'year', interval_count: 1 },
    prorations: [],
    invoicing: 'nothing',
  })
  assert.is(errorOf(pending, { billing_cycle_anchor: 'now' })?.code, 'subscription_unexpected_state')
})

test('credits the rest of the period of a canceled subscription', () => {
  const rest = prorateRest({ subscription: active, billed: [LINE] }, createRuleContext(HALFWAY))
  assert.equal(
    rest.map(({ amount }) => amount),
    [-50_000],
  )
  const pending: Subscription = { ...active, status: 'pending' }
  assert.equal(prorateRest({ subscription: pending, billed: [LINE] }, createRuleContext(HALFWAY)), [])
})

test('validates each entry of the items', () => {
  const items = [
    { id: 'si_1', deleted: true, quantity: 3 },
    { deleted: true },
    { quantity: 3 },
    { id: 'si_1' },
    { price_data: { amount: 1 } },
    { id: 'si_2', deleted: true },
  ]
  assert.equal(
    validateSubscriptionChange({ items }).map(({ code, param }) => [code, param]),
    [
      ['parameters_exclusive', 'items[0][deleted]'],
      ['parameter_missing', 'items[1][id]'],
      ['parameter_missing', 'items[2][price_data][amount]'],
      ['parameters_exclusive', 'items[3][id]'],
    ],
  )
  assert.equal(
    validateSubscriptionChange({ interval: 'year', interval_count: 4 }).map(({ code }) => code),
    ['interval_count_out_of_range'],
  )
  assert.equal(validateSubscriptionChange({ items: [null, { id: null }], interval_count: null }), [])
})

test('separates the change from the other fields of an update', () => {
  assert.equal(withoutChange({ description: 'Rent', interval: 'year', items: [] }), { description: 'Rent' })
})

test.run()

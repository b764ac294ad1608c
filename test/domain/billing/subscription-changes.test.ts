import type { BilledLine } from '../../../src/domain/billing/prorations.ts'
import {
  listSubscriptionChangeErrors,
  type SubscriptionChangeParams,
} from '../../../src/domain/billing/subscription-change-params.ts'
import { planSubscriptionChange } from '../../../src/domain/billing/subscription-changes.ts'
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
  change: SubscriptionChangeParams,
  { now = HALFWAY, billed = [LINE] }: PlanOptions = {},
) {
  return planSubscriptionChange({ subscription, billed }, change, createRuleContext(now))
}

function errorOf(subscription: Subscription, change: SubscriptionChangeParams, options: PlanOptions = {}) {
  return catchDomainError(() => plan(subscription, change, options))
}

test('invoices prorations immediately if requested, unless the subscription is unpaid or nothing changes', () => {
  const now = { proration_behavior: 'always_invoice' } as const
  assert.is(plan(active, { ...DOUBLED, ...now }).invoicing, 'items')
  assert.is(plan({ ...active, status: 'past_due' }, { ...DOUBLED, ...now }).invoicing, 'items')
  assert.is(plan({ ...active, status: 'unpaid' }, { ...DOUBLED, ...now }).invoicing, 'nothing')
  assert.is(plan(active, now).invoicing, 'nothing')
})

test('throws for a proration_date before the period, in the future or before the last proration', () => {
  const cases = [
    [START - 1, /starts at .+\. Use a time from this start until now, or omit proration_date\.$/],
    [HALFWAY + 1, /it is in the future\. Use the current time or an earlier time, or omit proration_date\.$/],
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
    listSubscriptionChangeErrors({ items }).map(({ code, param }) => [code, param]),
    [
      ['parameters_exclusive', 'items[0][deleted]'],
      ['parameter_missing', 'items[1][id]'],
      ['parameter_missing', 'items[2][price_data][amount]'],
      ['parameters_exclusive', 'items[3][id]'],
    ],
  )
  assert.equal(
    listSubscriptionChangeErrors({ interval: 'year', interval_count: 4 }).map(({ code }) => code),
    ['interval_count_out_of_range'],
  )
  assert.equal(listSubscriptionChangeErrors({ items: [null, { id: null }], interval_count: null }), [])
})

test.run()

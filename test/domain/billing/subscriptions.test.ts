import {
  cancelSubscription,
  countPeriodsUntil,
  createSubscription,
  isLiveSubscription,
  markPastDue,
  markUnpaid,
  recoverSubscription,
  renewSubscription,
  requireLiveSubscription,
  type Subscription,
  setDefaultCard,
  startSubscription,
} from '../../../src/domain/billing/subscriptions.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import { aCheckout } from '../../support/domain-samples.ts'
import { createRuleContext, DAY, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/billing/subscriptions')

type Terms = NonNullable<Parameters<typeof aCheckout>[1]>

function subscribed(terms: Terms, now = START) {
  const session = aCheckout(createRuleContext(), terms)
  const start = { id: 'sub_1', session, payment_method: 'pm_1', latest_invoice: 'in_1' }
  return { session, ...createSubscription(start, createRuleContext(now)) }
}

const unix = (date: string) => Date.parse(`${date}Z`) / 1000

test('creates a subscription with the terms of its session', () => {
  const { event, session, after } = subscribed({ metadata: { a: 'b' } })
  assert.is(event, 'subscription.created')
  assert.equal(after, {
    id: 'sub_1',
    object: 'subscription',
    created: START,
    livemode: false,
    status: 'active',
    customer: session.customer,
    checkout_session: session.id,
    currency: 'eur',
    description: 'Rent',
    collection_method: 'charge_automatically',
    days_until_due: null,
    interval: 'month',
    interval_count: 1,
    items: [
      {
        id: 'si_Test00000000000000000001',
        description: 'Rent',
        type: 'other',
        price_data: { amount: 100_000, currency: 'eur', tax_percent: 20 },
        quantity: 1,
      },
    ],
    start_date: START,
    billing_cycle_anchor: START,
    current_period_start: START,
    current_period_end: unix('2024-02-15T10:30:00'),
    period_index: 0,
    trial_start: null,
    trial_end: null,
    trial_settings: null,
    cancel_at_period_end: false,
    canceled_at: null,
    ended_at: null,
    cancellation_reason: null,
    default_payment_method: 'pm_1',
    latest_invoice: 'in_1',
    pause_collection: null,
    metadata: { a: 'b' },
    test_clock: null,
  })
})

/** start, interval, count, time of completion, first billed period and its index; `-` while pending */
const PERIODS = `
  2024-01-15T10:30:00 month 1 2024-01-15T10:30:00 2024-01-15T10:30:00 2024-02-15T10:30:00 0
  2024-01-01T00:00:00 month 1 2024-01-15T10:30:00 2024-01-01T00:00:00 2024-02-01T00:00:00 0
  2023-10-31T12:00:00 month 1 2024-02-29T12:00:00 2024-02-29T12:00:00 2024-03-31T12:00:00 4
  2023-10-31T12:00:00 month 1 2024-02-29T11:59:59 2024-01-31T12:00:00 2024-02-29T12:00:00 3
  2020-02-29T00:00:00 year  1 2024-01-15T10:30:00 2023-02-28T00:00:00 2024-02-29T00:00:00 3
  2024-01-14T00:00:00 day   1 2024-01-15T10:30:00 2024-01-15T00:00:00 2024-01-16T00:00:00 1
  2024-01-01T00:00:00 week  2 2024-01-15T10:30:00 2024-01-15T00:00:00 2024-01-29T00:00:00 1
  1970-01-01T00:00:00 month 3 2024-01-15T10:30:00 2024-01-01T00:00:00 2024-04-01T00:00:00 216
  2024-01-15T10:30:01 month 1 2024-01-15T10:30:00 -                   -                   -1
  2024-02-01T00:00:00 month 1 2024-01-15T10:30:00 -                   -                   -1
  2024-02-01T00:00:00 month 1 2024-02-01T00:00:00 2024-02-01T00:00:00 2024-03-01T00:00:00 0
`

for (const line of PERIODS.trim().split('\n')) {
  const [start = '', interval = '', count, now = '', from = '', until = '', index] = line.trim().split(/\s+/)
  const when = `every ${count} ${interval} from ${start}, completed at ${now}`
  test(`a subscription ${when}, ${from === '-' ? 'is pending' : `starts with the period from ${from}`}`, () => {
    const terms = { start_date: unix(start), interval, interval_count: Number(count) } as Terms
    const { after } = subscribed(terms, unix(now))
    const parseTime = (text: string) => (text === '-' ? null : unix(text))
    assert.is(after.status, from === '-' ? 'pending' : 'active')
    assert.equal([after.current_period_start, after.current_period_end], [parseTime(from), parseTime(until)])
    assert.equal([after.period_index, after.billing_cycle_anchor], [Number(index), unix(start)])
  })
}

test('a subscription without a start date starts at completion', () => {
  const { after } = subscribed({}, START + 3 * DAY)
  assert.equal([after.start_date, after.current_period_start], [START + 3 * DAY, START + 3 * DAY])
})

test('canceling ends the subscription immediately with a reason', () => {
  const { after: subscription } = subscribed({})
  const { event, before, after } = cancelSubscription(
    subscription,
    'customer_deleted',
    createRuleContext(START + DAY),
  )
  assert.equal([event, before], ['subscription.canceled', subscription])
  assert.equal(after, {
    ...subscription,
    status: 'canceled',
    canceled_at: START + DAY,
    ended_at: START + DAY,
    cancellation_reason: 'customer_deleted',
  })
})

const STATES = ['pending', 'active', 'past_due', 'unpaid', 'canceled'] as const

/** rule, changed statuses and their new status; all other statuses stay unchanged */
const MOVES = [
  ['past_due', markPastDue, { active: 'past_due' }],
  ['unpaid', markUnpaid, { past_due: 'unpaid' }],
  ['recovered', recoverSubscription, { past_due: 'active', unpaid: 'active' }],
] as const

for (const [verb, move, moves] of MOVES) {
  test(`subscription.${verb} changes the status ${JSON.stringify(moves)} and no other`, () => {
    const { after: subscription } = subscribed({})
    for (const status of STATES) {
      const changes = move({ ...subscription, status })
      const to = Object.entries(moves).find(([from]) => from === status)?.[1]
      const wanted = to === undefined ? [] : [[`subscription.${verb}`, to]]
      assert.equal(
        changes.map(({ event, after }) => [event, after.status]),
        wanted,
        status,
      )
    }
  })
}

test('renewals compute each boundary from the anchor, so that ends of months do not drift', () => {
  const start_date = unix('2024-01-31T10:00:00')
  let { after: subscription } = subscribed({ start_date }, start_date)
  const ends: string[] = []
  for (let period = 1; period <= 4; period += 1) {
    const renewed = renewSubscription(subscription, `in_${period}`)
    assert.is(renewed.event, 'subscription.renewed')
    assert.is(renewed.after.current_period_start, subscription.current_period_end)
    subscription = renewed.after
    ends.push(new Date(Number(subscription.current_period_end) * 1000).toISOString().slice(0, 10))
    assert.equal([subscription.period_index, subscription.latest_invoice], [period, `in_${period}`])
  }
  assert.equal(ends, ['2024-03-31', '2024-04-30', '2024-05-31', '2024-06-30'])
})

test('a pending subscription starts with period 0 of its anchor', () => {
  const { after: pending } = subscribed({ start_date: START + DAY })
  const { event, after } = startSubscription(pending, 'in_9', createRuleContext(START + DAY))
  assert.is(event, 'subscription.started')
  assert.equal(after, {
    ...pending,
    status: 'active',
    period_index: 0,
    current_period_start: START + DAY,
    current_period_end: unix('2024-02-16T10:30:00'),
    latest_invoice: 'in_9',
  })
})

test('countPeriodsUntil counts from the current period of the subscription', () => {
  const { after: active } = subscribed({})
  const { after: pending } = subscribed({ start_date: START + DAY, interval: 'day' })
  const until = (subscription: Subscription, days: number) =>
    countPeriodsUntil(subscription, START + days * DAY)
  assert.equal(
    [0, 30, 31, 366].map((days) => until(active, days)),
    [0, 0, 1, 12],
  )
  assert.equal(
    [0, 1, 2, 10].map((days) => until(pending, days)),
    [0, 1, 2, 10],
  )
  assert.is(until({ ...active, period_index: 40 }, 31), 0)
})

test('rejects an update of a canceled subscription, and accepts one in any other status', async () => {
  const { after: subscription } = subscribed({})
  assert.equal(
    STATES.filter((status) => !isLiveSubscription({ ...subscription, status })),
    ['canceled'],
  )
  requireLiveSubscription(subscription, 'cancel')
  const { code, message } = await catchDomainError(() =>
    requireLiveSubscription({ ...subscription, status: 'canceled' }, 'change'),
  )
  assert.is(code, 'subscription_unexpected_state')
  assert.match(message, /^Cannot change subscription 'sub_1': it is canceled/)
})

test('setting another card on a subscription returns subscription.updated', () => {
  const { after: subscription } = subscribed({})
  const { event, after } = setDefaultCard(subscription, null)
  assert.equal([event, after], ['subscription.updated', { ...subscription, default_payment_method: null }])
})

test.run()

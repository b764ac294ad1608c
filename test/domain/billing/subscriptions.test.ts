import {
  countPeriodStartsUntil,
  createSubscription,
  type Subscription,
} from '../../../src/domain/billing/subscriptions.ts'
import { aCheckout } from '../../support/domain-samples.ts'
import { createRuleContext, DAY, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/billing/subscriptions')

type Terms = NonNullable<Parameters<typeof aCheckout>[1]>

function subscribed(terms: Terms, now = START) {
  const session = aCheckout(createRuleContext(), terms)
  const ids = { id: 'sub_1', default_payment_method: 'pm_1', latest_invoice: 'in_1' }
  return createSubscription(session, ids, null, createRuleContext(now)).after
}

const unix = (date: string) => Date.parse(`${date}Z`) / 1000

/** Columns: start, interval, count, time of completion, first billed period and its index; `-` while pending. */
const PERIODS = `
  2024-01-15T10:30:00 month 1 2024-01-15T10:30:00 2024-01-15T10:30:00 2024-02-15T10:30:00 0
  2023-10-31T12:00:00 month 1 2024-02-29T12:00:00 2024-02-29T12:00:00 2024-03-31T12:00:00 4
  2023-10-31T12:00:00 month 1 2024-02-29T11:59:59 2024-01-31T12:00:00 2024-02-29T12:00:00 3
  2024-01-15T10:30:01 month 1 2024-01-15T10:30:00 -                   -                   -1
  2024-02-01T00:00:00 month 1 2024-02-01T00:00:00 2024-02-01T00:00:00 2024-03-01T00:00:00 0
`

for (const line of PERIODS.trim().split('\n')) {
  const [start = '', interval = '', count, now = '', from = '', until = '', index] = line.trim().split(/\s+/)
  const when = `every ${count} ${interval} from ${start}, completed at ${now}`
  test(`a subscription ${when}, ${from === '-' ? 'is pending' : `starts with the period from ${from}`}`, () => {
    const terms = { start_date: unix(start), interval, interval_count: Number(count) } as Terms
    const after = subscribed(terms, unix(now))
    const parseTime = (text: string) => (text === '-' ? null : unix(text))
    assert.is(after.status, from === '-' ? 'pending' : 'active')
    assert.equal([after.current_period_start, after.current_period_end], [parseTime(from), parseTime(until)])
    assert.equal([after.period_index, after.billing_cycle_anchor], [Number(index), unix(start)])
  })
}

test('countPeriodStartsUntil counts from the current period of the subscription', () => {
  const active = subscribed({})
  const pending = subscribed({ start_date: START + DAY, interval: 'day' })
  const until = (subscription: Subscription, days: number) =>
    countPeriodStartsUntil(subscription, START + days * DAY)
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

test.run()

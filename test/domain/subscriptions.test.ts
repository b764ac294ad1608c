import { cancelSubscription, createSubscription } from '../../src/domain/subscriptions.ts'
import { aCheckout } from '../support/domain-samples.ts'
import { assert, suite } from '../support/suite.ts'
import { createWorld, DAY, START } from '../support/world.ts'

const test = suite('domain/subscriptions')

type Terms = NonNullable<Parameters<typeof aCheckout>[1]>

function subscribed(terms: Terms, now = START) {
  const session = aCheckout(createWorld(), terms)
  const start = { id: 'sub_1', session, payment_method: 'pm_1', latest_invoice: 'in_1' }
  return { session, ...createSubscription(start, createWorld(now)) }
}

const unix = (date: string) => Date.parse(`${date}Z`) / 1000

test('a subscription carries what the session agreed on', () => {
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
      },
    ],
    start_date: START,
    billing_cycle_anchor: START,
    current_period_start: START,
    current_period_end: unix('2024-02-15T10:30:00'),
    period_index: 0,
    cancel_at_period_end: false,
    canceled_at: null,
    ended_at: null,
    cancellation_reason: null,
    default_payment_method: 'pm_1',
    latest_invoice: 'in_1',
    metadata: { a: 'b' },
    test_clock: null,
  })
})

/** start, interval, count, completed at; first period billed and its index; `-` while it waits */
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
  test(`${when}, ${from === '-' ? 'waits' : `begins with ${from}`}`, () => {
    const terms = { start_date: unix(start), interval, interval_count: Number(count) } as Terms
    const { after } = subscribed(terms, unix(now))
    const moment = (text: string) => (text === '-' ? null : unix(text))
    assert.is(after.status, from === '-' ? 'pending' : 'active')
    assert.equal([after.current_period_start, after.current_period_end], [moment(from), moment(until)])
    assert.equal([after.period_index, after.billing_cycle_anchor], [Number(index), unix(start)])
  })
}

test('without a start date it starts when it is completed', () => {
  const { after } = subscribed({}, START + 3 * DAY)
  assert.equal([after.start_date, after.current_period_start], [START + 3 * DAY, START + 3 * DAY])
})

test('canceling ends it at once, for good, and says why', () => {
  const { after: subscription } = subscribed({})
  const { event, before, after } = cancelSubscription(
    subscription,
    'customer_deleted',
    createWorld(START + DAY),
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

test.run()

import type { Payment } from '../../src/domain/payments.ts'
import { DAY } from '../support/sandbox.ts'
import { at, type Canary, type Draft, find } from './canaries.ts'

type Records = Draft['records']

const HOUR = 3600
const NOBODY = 'in_Test00000000000000000000'

/** A subscription in a state, with its invoices, oldest first. */
function billed({ subscriptions, invoices }: Records, status: 'active' | 'past_due' | 'unpaid' | 'canceled') {
  const owners = subscriptions.filter((one) => one.status === status && one.period_index > 0)
  const subscription = at(owners, 0)
  return { subscription, invoices: invoices.filter((one) => one.subscription === subscription.id) }
}

/** The clock most happens on. */
function busyClock({ subscriptions, test_clocks }: Records) {
  const { test_clock } = billed({ subscriptions, invoices: [] } as unknown as Records, 'unpaid').subscription
  const clock = at(
    test_clocks.filter(({ id }) => id === test_clock),
    0,
  )
  if ('deleted' in clock) throw new Error('the busy clock was deleted')
  return clock
}

function automaticFailure({ events }: Records): object {
  const failed = events.filter(({ type }) => type === 'payment.failed')
  const renewals = failed.map(({ data }) => data.object as Payment)
  return find(renewals, { off_session: true, decline_code: 'insufficient_funds' })
}

/** A broken store for each way an invariant of billing and clocks can be broken. */
export const BILLING_CANARIES: readonly Canary[] = [
  ['P8', 'more refunded', ({ payments }) => (find(payments, { refunded: true }).amount_refunded += 1)],
  ['P8', 'a refund that was not told', ({ refunds }) => refunds.pop()],
  ['P8', 'a refund too much', ({ refunds }) => (find(refunds, { status: 'failed' }).status = 'succeeded')],
  ['P8', 'refunded in part', ({ payments }) => (find(payments, { refunded: true }).refunded = false)],
  ['P8', 'a refund of a failure', ({ payments }) => (find(payments, { refunded: true }).status = 'failed')],
  ['P8', 'a refund of nothing', ({ refunds }) => (at(refunds, 0).payment = NOBODY)],
  ['P9', 'a refund in yen', ({ refunds }) => (at(refunds, 0).currency = 'jpy')],
  [
    'P12',
    'a session that is open too long on its clock',
    (records) => (busyClock(records).frozen_time += 2 * DAY),
  ],
  [
    'P15',
    'an invoice charged twice at once',
    ({ payments }) => {
      const waiting = payments.find(({ status, invoice }) => status === 'requires_action' && invoice !== null)
      payments.push({ ...at([...(waiting ? [waiting] : [])], 0), id: 'py_Test00000000000000000000' })
    },
  ],
  ['P15', 'a charge nobody can answer', ({ authentications }) => authentications.pop()],
  [
    'P15',
    'a wait for what is over',
    ({ payments, authentications }) =>
      (at(authentications, 0).payment = find(payments, { status: 'succeeded' }).id),
  ],
  ['P15', 'a wait of what is closed', ({ authentications }) => (at(authentications, 0).id = NOBODY)],
  ['P17', 'another index', (records) => (billed(records, 'active').subscription.period_index += 1)],
  ['P17', 'a period that is over', (records) => (busyClock(records).frozen_time += 400 * DAY)],
  ['P17', 'a period that is over in real time', (_records, draft) => (draft.now += 40 * DAY)],
  ['P17', 'a period to come', (records) => (busyClock(records).frozen_time -= 200 * DAY)],
  [
    'P17',
    'no period',
    (records) => Object.assign(billed(records, 'active').subscription, { current_period_start: null }),
  ],
  [
    'P17',
    'a start that was missed',
    ({ subscriptions }) => (find(subscriptions, { status: 'pending' }).start_date = 0),
  ],
  ['P18', 'a period without an invoice', (records) => records.invoices.splice(records.invoices.length - 1)],
  [
    'P18',
    'a period with two invoices',
    (records) => records.invoices.push({ ...at(billed(records, 'active').invoices, -1) }),
  ],
  [
    'P18',
    'an invoice of another period',
    (records) => (at(billed(records, 'active').invoices, -1).period_start += DAY),
  ],
  [
    'P18',
    'a line of another period',
    (records) => (at(at(billed(records, 'active').invoices, -1).lines, 0).period.end += 1),
  ],
  [
    'P18',
    'an invoice that was made late',
    (records) => (at(billed(records, 'active').invoices, -1).created += 1),
  ],
  [
    'P18',
    'a first invoice of a cycle',
    (records) => (at(billed(records, 'active').invoices, 0).billing_reason = 'subscription_cycle'),
  ],
  [
    'P18',
    'another latest invoice',
    (records) => (billed(records, 'active').subscription.latest_invoice = NOBODY),
  ],
  [
    'P19',
    'another time of day',
    (records) => {
      const { subscription } = billed(records, 'active')
      subscription.current_period_start = (subscription.current_period_start ?? 0) + HOUR
    },
  ],
  [
    'P19',
    'another day of the month',
    (records) => {
      const { subscription } = billed(records, 'active')
      subscription.current_period_end = (subscription.current_period_end ?? 0) + DAY
    },
  ],
  [
    'P19',
    'a period that runs back',
    (records) => {
      const { subscription } = billed(records, 'active')
      subscription.current_period_end = subscription.current_period_start
    },
  ],
  [
    'P20',
    'a pending subscription in a period',
    ({ subscriptions }) => (find(subscriptions, { status: 'pending' }).period_index = 0),
  ],
  [
    'P20',
    'an invoice of a pending subscription',
    ({ subscriptions, invoices }) =>
      (at(invoices, 0).subscription = find(subscriptions, { status: 'pending' }).id),
  ],
  [
    'P20',
    'an end that nobody knows',
    (records) => (billed(records, 'canceled').subscription.ended_at = null),
  ],
  [
    'P20',
    'a retry for a canceled subscription',
    (records) => (at(billed(records, 'canceled').invoices, 0).next_payment_attempt = 1),
  ],
  [
    'P20',
    'a canceled subscription that is collected',
    (records) => (at(billed(records, 'canceled').invoices, 0).auto_advance = true),
  ],
  ['P20', 'an invoice after the end', (records) => (billed(records, 'canceled').subscription.ended_at = 1)],
  [
    'P21',
    'past due without a debt',
    (records) => {
      for (const invoice of billed(records, 'past_due').invoices) invoice.status = 'paid'
    },
  ],
  ['P21', 'unpaid without a debt', (records) => (billed(records, 'active').subscription.status = 'unpaid')],
  [
    'P21',
    'active with a failed invoice',
    (records) => (billed(records, 'past_due').subscription.status = 'active'),
  ],
  [
    'P21',
    'active with an overdue invoice',
    ({ invoices, subscriptions }) => {
      const sent = at(
        invoices.filter(({ due_date, test_clock }) => due_date !== null && test_clock !== null),
        0,
      )
      find(subscriptions, { id: sent.subscription ?? '' }).status = 'active'
    },
  ],
  ['P22', 'a paid invoice tried again', ({ invoices }) => (paidOf(invoices).next_payment_attempt = 2 ** 40)],
  ['P22', 'tried too often', ({ invoices }) => (tried(invoices).attempt_count = 4)],
  ['P22', 'a retry too many', ({ invoices }) => (tried(invoices).attempt_count = 3)],
  ['P22', 'tried, but never attempted', ({ invoices }) => (tried(invoices).attempted = false)],
  ['P22', 'a retry that was missed', ({ invoices }) => (tried(invoices).next_payment_attempt = 1)],
  ['P22', 'collected in another way', ({ invoices }) => (tried(invoices).auto_advance = false)],
  [
    'P23',
    'a change after the end',
    (records) => {
      const { id } = billed(records, 'canceled').subscription
      const told = records.events.filter(({ data }) => data.object.id === id)
      records.events.push({ ...at(told, 0), sequence: records.events.length + 1 })
    },
  ],
  ['P23', 'alive again', (records) => (billed(records, 'canceled').subscription.status = 'active')],
  [
    'P24',
    'a lost card that is charged again',
    (records) => Object.assign(automaticFailure(records), { decline_code: 'lost_card' }),
  ],
  [
    'P26',
    'a clock that was deleted silently',
    ({ events }) =>
      events.splice(
        events.findIndex(({ type }) => type === 'test_clock.deleted'),
        1,
      ),
  ],
  [
    'P26',
    'a clock that is still there',
    (records) => {
      const at = records.test_clocks.findIndex((clock) => 'deleted' in clock)
      records.test_clocks.splice(at, 1)
    },
  ],
  [
    'P28',
    'an event of another object',
    ({ events }) => (find(events, { type: 'refund.created' }).type = 'test_clock.created'),
  ],
  ['P34', 'an invoice on another clock', (records) => (paidOf(records.invoices).test_clock = 'clock_other')],
  ['P34', 'a refund in real time', ({ refunds }) => (at(refunds, 0).test_clock = null)],
  [
    'P41',
    'a customer on a deleted clock',
    ({ customers, test_clocks }) => {
      const clock = at(
        test_clocks.filter((one) => 'deleted' in one),
        0,
      )
      Object.assign(at(customers, 0), { test_clock: clock.id })
    },
  ],
  ['P42', 'a draft with a number', ({ invoices }) => (find(invoices, { status: 'draft' }).number = 'INV-9')],
  [
    'P42',
    'a void invoice that lost its number',
    ({ invoices }) => (find(invoices, { status: 'void' }).finalized_at = 1),
  ],
  ['P42', 'a number given twice', ({ invoices }) => (at(invoices, 1).number = at(invoices, 0).number)],
  [
    'P42',
    'a number that nobody has',
    ({ counters }) => (find(counters, { id: 'invoice_number' }).value += 1),
  ],
  [
    'P43',
    'a refund under another prefix',
    ({ refunds }) => (at(refunds, 0).id = 'rf_Test00000000000000000000'),
  ],
  ['P43', 'a clock under another prefix', (records) => (busyClock(records).id = 'clk_1')],
]

function paidOf(invoices: Records['invoices']) {
  return at(
    invoices.filter(({ status, test_clock }) => status === 'paid' && test_clock !== null),
    0,
  )
}

function tried(invoices: Records['invoices']) {
  return at(
    invoices.filter(({ next_payment_attempt }) => next_payment_attempt !== null),
    0,
  )
}

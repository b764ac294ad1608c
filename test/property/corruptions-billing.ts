import type { Payment } from '../../src/domain/payments/payments.ts'
import { DAY } from '../support/sandbox.ts'
import { at, type Corruption, find, first, type Records } from './corruptions.ts'

const HOUR = 3600
const MISSING_ID = 'in_Test00000000000000000000'

/** Returns a subscription with a status and its invoices, oldest first. */
function inStatus(
  { subscriptions, invoices }: Records,
  status: 'active' | 'past_due' | 'unpaid' | 'canceled',
) {
  const owners = subscriptions.filter((one) => one.status === status && one.period_index > 0)
  const subscription = at(owners, 0)
  return { subscription, invoices: invoices.filter((one) => one.subscription === subscription.id) }
}

/** Returns the clock with the most objects. */
function busyClock({ subscriptions, test_clocks }: Records) {
  const { test_clock } = inStatus(
    { subscriptions, invoices: [] } as unknown as Records,
    'unpaid',
  ).subscription
  const clock = first(test_clocks, ({ id }) => id === test_clock)
  if ('deleted' in clock) throw new Error('the busy clock was deleted')
  return clock
}

function automaticFailure({ events }: Records): object {
  const failed = events.filter(({ type }) => type === 'payment.failed')
  const renewals = failed.map(({ data }) => data.object as Payment)
  return find(renewals, { off_session: true, decline_code: 'insufficient_funds' })
}

/** Corruptions for the invariants of billing and clocks. */
export const BILLING_CORRUPTIONS: readonly Corruption[] = [
  ['P8', 'an excess of refunds', ({ payments }) => (find(payments, { refunded: true }).amount_refunded += 1)],
  ['P8', 'a refund without a record', ({ refunds }) => refunds.pop()],
  ['P8', 'excessive refunds', ({ refunds }) => (find(refunds, { status: 'failed' }).status = 'succeeded')],
  ['P8', 'refunded as false', ({ payments }) => (find(payments, { refunded: true }).refunded = false)],
  ['P8', 'a refund of a failure', ({ payments }) => (find(payments, { refunded: true }).status = 'failed')],
  ['P8', 'a refund of a missing payment', ({ refunds }) => (at(refunds, 0).payment = MISSING_ID)],
  [
    'P12',
    'an open session past its expiry on a clock',
    (records) => (busyClock(records).frozen_time += 2 * DAY),
  ],
  ['P15', 'a payment without authentication', ({ authentications }) => authentications.pop()],
  [
    'P15',
    'an authentication of a succeeded payment',
    ({ payments, authentications }) =>
      (at(authentications, 0).payment = find(payments, { status: 'succeeded' }).id),
  ],
  [
    'P15',
    'an authentication of a missing object',
    ({ authentications }) => (at(authentications, 0).id = MISSING_ID),
  ],
  ['P17', 'a wrong period index', (records) => (inStatus(records, 'active').subscription.period_index += 1)],
  ['P17', 'an ended period', (records) => (busyClock(records).frozen_time += 400 * DAY)],
  ['P17', 'an ended period in real time', (_records, draft) => (draft.now += 40 * DAY)],
  ['P17', 'a future period', (records) => (busyClock(records).frozen_time -= 200 * DAY)],
  [
    'P17',
    'an active subscription without a period',
    (records) => Object.assign(inStatus(records, 'active').subscription, { current_period_start: null }),
  ],
  [
    'P17',
    'a pending subscription past its start',
    ({ subscriptions }) => (find(subscriptions, { status: 'pending' }).start_date = 0),
  ],
  ['P18', 'a period without an invoice', (records) => records.invoices.splice(records.invoices.length - 1)],
  [
    'P18',
    'a period with two invoices',
    (records) => records.invoices.push({ ...at(inStatus(records, 'active').invoices, -1) }),
  ],
  [
    'P18',
    'an invoice of another period',
    (records) => (at(inStatus(records, 'active').invoices, -1).period_start += DAY),
  ],
  [
    'P18',
    'a line of another period',
    (records) => (at(at(inStatus(records, 'active').invoices, -1).lines, 0).period.end += 1),
  ],
  [
    'P18',
    'an invoice created late',
    (records) => (at(inStatus(records, 'active').invoices, -1).created += 1),
  ],
  [
    'P18',
    'a first invoice with the billing reason of a renewal',
    (records) => (at(inStatus(records, 'active').invoices, 0).billing_reason = 'subscription_cycle'),
  ],
  [
    'P18',
    'a latest_invoice that is not the latest',
    (records) => (inStatus(records, 'active').subscription.latest_invoice = MISSING_ID),
  ],
  [
    'P19',
    'a period that starts at another time of day',
    (records) => {
      const { subscription } = inStatus(records, 'active')
      subscription.current_period_start = (subscription.current_period_start ?? 0) + HOUR
    },
  ],
  [
    'P19',
    'a period that starts on another day of the month',
    (records) => {
      const { subscription } = inStatus(records, 'active')
      subscription.current_period_end = (subscription.current_period_end ?? 0) + DAY
    },
  ],
  [
    'P19',
    'a decreasing period',
    (records) => {
      const { subscription } = inStatus(records, 'active')
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
    'a canceled subscription without ended_at',
    (records) => (inStatus(records, 'canceled').subscription.ended_at = null),
  ],
  [
    'P20',
    'a retry for a canceled subscription',
    (records) => (at(inStatus(records, 'canceled').invoices, 0).next_payment_attempt = 1),
  ],
  [
    'P20',
    'a canceled subscription that is collected',
    (records) => (at(inStatus(records, 'canceled').invoices, 0).auto_advance = true),
  ],
  [
    'P20',
    'an invoice after ended_at',
    (records) => (inStatus(records, 'canceled').subscription.ended_at = 1),
  ],
  [
    'P21',
    'a past_due subscription without an open invoice',
    (records) => {
      for (const invoice of inStatus(records, 'past_due').invoices) invoice.status = 'paid'
    },
  ],
  [
    'P21',
    'an unpaid subscription without an open invoice',
    (records) => (inStatus(records, 'active').subscription.status = 'unpaid'),
  ],
  [
    'P21',
    'an active subscription with a failed invoice',
    (records) => (inStatus(records, 'past_due').subscription.status = 'active'),
  ],
  [
    'P21',
    'an active subscription with an overdue invoice',
    ({ invoices, subscriptions }) => {
      const sent = first(invoices, ({ due_date, test_clock }) => due_date !== null && test_clock !== null)
      find(subscriptions, { id: sent.subscription ?? '' }).status = 'active'
    },
  ],
  [
    'P22',
    'a retry of a paid invoice',
    ({ invoices }) => (paidInvoice(invoices).next_payment_attempt = 2 ** 40),
  ],
  ['P22', 'too many attempts', ({ invoices }) => (retriedInvoice(invoices).attempt_count = 4)],
  ['P22', 'one retry too many', ({ invoices }) => (retriedInvoice(invoices).attempt_count = 3)],
  ['P22', 'attempts without attempted set', ({ invoices }) => (retriedInvoice(invoices).attempted = false)],
  ['P22', 'a missed retry', ({ invoices }) => (retriedInvoice(invoices).next_payment_attempt = 1)],
  ['P22', 'a retry without auto_advance', ({ invoices }) => (retriedInvoice(invoices).auto_advance = false)],
  [
    'P23',
    'a change of a subscription after its end',
    (records) => {
      const { id } = inStatus(records, 'canceled').subscription
      const events = records.events.filter(({ data }) => data.object.id === id)
      records.events.push({ ...at(events, 0), sequence: records.events.length + 1 })
    },
  ],
  [
    'P23',
    'a reactivated subscription',
    (records) => (inStatus(records, 'canceled').subscription.status = 'active'),
  ],
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
    'P28',
    'an event of another object',
    ({ events }) => (find(events, { type: 'refund.created' }).type = 'test_clock.created'),
  ],
  [
    'P34',
    'an invoice on another clock',
    (records) => (paidInvoice(records.invoices).test_clock = 'clock_other'),
  ],
  ['P34', 'a refund in real time', ({ refunds }) => (at(refunds, 0).test_clock = null)],
  [
    'P41',
    'a customer on a deleted clock',
    ({ customers, test_clocks }) => {
      const clock = first(test_clocks, (one) => 'deleted' in one)
      Object.assign(at(customers, 0), { test_clock: clock.id })
    },
  ],
  ['P42', 'a draft with a number', ({ invoices }) => (find(invoices, { status: 'draft' }).number = 'INV-9')],
  [
    'P42',
    'a void invoice that lost its number',
    ({ invoices }) => (find(invoices, { status: 'void' }).finalized_at = 1),
  ],
  ['P42', 'an unused number', ({ counters }) => (find(counters, { id: 'invoice_number' }).value += 1)],
  [
    'P43',
    'a refund under another prefix',
    ({ refunds }) => (at(refunds, 0).id = 'rf_Test00000000000000000000'),
  ],
  ['P43', 'a clock under another prefix', (records) => (busyClock(records).id = 'clk_1')],
]

function paidInvoice(invoices: Records['invoices']) {
  return first(invoices, ({ status, test_clock }) => status === 'paid' && test_clock !== null)
}

function retriedInvoice(invoices: Records['invoices']) {
  return first(invoices, ({ next_payment_attempt }) => next_payment_attempt !== null)
}

import { api } from '../../src/api/api.ts'
import { type Order, subscribe, toNextPeriod } from '../support/billing.ts'
import { type Lifecycle, testLifecycle } from '../support/lifecycle.ts'
import { DAY, type Sandbox, START } from '../support/sandbox.ts'
import { suite } from '../support/suite.ts'

const test = suite('scenarios/subscription-changes')

/**
 * Changes of a weekly subscription at 10.00 plus 19 % tax, halfway through its period. A card without funds is declined
 * after the first charge. `waits` is the sum of the pending invoice items with tax, `due` the amount of the last invoice.
 */
const TABLE = `
  pending   raise,raise_now,raise_or_fail,raise_later → pending @-1 2000 a week, waits 0, due 0
      sub.updated
      leaves pm sub:pending
  pending   lower_now         → pending @-1 500 a week, waits 0, due 0
      sub.updated
      leaves pm sub:pending
  pending   yearly,yearly_or_fail → pending @-1 30000 a year, waits 0, due 0
      sub.updated
      leaves pm sub:pending
  pending   restart           → same ! subscription_unexpected_state
  pending   credit_and_cancel,settle_and_cancel → canceled @-1 1000 a week, waits 0, due 0
      sub.canceled
      leaves pm sub:canceled
  pending,active,broke,ending,past_due,unpaid  preview           → same

  active,ending  raise_now,raise_or_fail → active @0 2000 a week, waits 0, due 595
      sub.updated ii.created ii.created in.created ii.updated ii.updated in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid py:succeeded py:succeeded
  active,ending  yearly,yearly_or_fail → active @0 30000 a year, waits 0, due 35105
      sub.updated ii.created in.created ii.updated in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid py:succeeded py:succeeded
  active,ending  restart           → active @0 1000 a week, waits 0, due 595
      sub.updated ii.created in.created ii.updated in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid py:succeeded py:succeeded
  active,broke,ending  raise             → active @0 2000 a week, waits 595, due 1190
      sub.updated ii.created ii.created
      leaves pm sub:active in:paid py:succeeded
  active,broke,ending  raise_later       → active @0 2000 a week, waits 0, due 1190
      sub.updated
      leaves pm sub:active in:paid py:succeeded
  active,broke,ending  lower_now         → active @0 500 a week, waits 0, due 0
      sub.updated ii.created ii.created in.created ii.updated ii.updated cus.updated in.finalized in.paid
      leaves pm sub:active in:paid in:paid py:succeeded
  active,broke,ending  credit_and_cancel → canceled @0 1000 a week, waits 0, due 1190
      ii.created sub.canceled ii.deleted
      leaves pm sub:canceled in:paid py:succeeded
  active,broke,ending  settle_and_cancel → canceled @0 1000 a week, waits 0, due 0
      ii.created in.created ii.updated cus.updated in.finalized in.paid sub.canceled
      leaves pm sub:canceled in:paid in:paid py:succeeded

  broke     raise_now         → past_due @0 2000 a week, waits 0, due 595
      sub.updated ii.created ii.created in.created ii.updated ii.updated in.finalized py.created py.failed in.payment_failed sub.past_due
      leaves pm sub:past_due in:open in:paid py:failed py:succeeded
  broke     yearly            → past_due @0 30000 a year, waits 0, due 35105
      sub.updated ii.created in.created ii.updated in.finalized py.created py.failed in.payment_failed sub.past_due
      leaves pm sub:past_due in:open in:paid py:failed py:succeeded
  broke     restart           → past_due @0 1000 a week, waits 0, due 595
      sub.updated ii.created in.created ii.updated in.finalized py.created py.failed in.payment_failed sub.past_due
      leaves pm sub:past_due in:open in:paid py:failed py:succeeded
  broke,past_due  raise_or_fail,yearly_or_fail → same ! card_declined insufficient_funds

  past_due  raise             → past_due @1 2000 a week, waits 595, due 1190
      sub.updated ii.created ii.created
      leaves pm sub:past_due in:open in:paid py:failed py:failed py:succeeded
  past_due  raise_now         → past_due @1 2000 a week, waits 0, due 595
      sub.updated ii.created ii.created in.created ii.updated ii.updated in.finalized py.created py.failed in.payment_failed
      leaves pm sub:past_due in:open in:open in:paid py:failed py:failed py:failed py:succeeded
  past_due  raise_later       → past_due @1 2000 a week, waits 0, due 1190
      sub.updated
      leaves pm sub:past_due in:open in:paid py:failed py:failed py:succeeded
  past_due  lower_now         → past_due @1 500 a week, waits 0, due 0
      sub.updated ii.created ii.created in.created ii.updated ii.updated cus.updated in.finalized in.paid
      leaves pm sub:past_due in:open in:paid in:paid py:failed py:failed py:succeeded
  past_due  yearly            → past_due @0 30000 a year, waits 0, due 35105
      sub.updated ii.created in.created ii.updated in.finalized py.created py.failed in.payment_failed
      leaves pm sub:past_due in:open in:open in:paid py:failed py:failed py:failed py:succeeded
  past_due  restart           → past_due @0 1000 a week, waits 0, due 595
      sub.updated ii.created in.created ii.updated in.finalized py.created py.failed in.payment_failed
      leaves pm sub:past_due in:open in:open in:paid py:failed py:failed py:failed py:succeeded
  past_due  credit_and_cancel → canceled @1 1000 a week, waits 0, due 1190
      ii.created sub.canceled ii.deleted in.updated
      leaves pm sub:canceled in:open in:paid py:failed py:failed py:succeeded
  past_due  settle_and_cancel → canceled @1 1000 a week, waits 0, due 0
      ii.created in.created ii.updated cus.updated in.finalized in.paid sub.canceled in.updated
      leaves pm sub:canceled in:open in:paid in:paid py:failed py:failed py:succeeded

  unpaid    raise,raise_now,raise_or_fail → unpaid @3 2000 a week, waits 595, due 1190
      sub.updated ii.created ii.created
      leaves pm sub:unpaid in:open in:open in:open in:paid py:failed py:failed py:failed py:failed py:failed py:failed py:failed py:failed py:failed py:succeeded
  unpaid    raise_later       → unpaid @3 2000 a week, waits 0, due 1190
      sub.updated
      leaves pm sub:unpaid in:open in:open in:open in:paid py:failed py:failed py:failed py:failed py:failed py:failed py:failed py:failed py:failed py:succeeded
  unpaid    lower_now         → unpaid @3 500 a week, waits -297, due 1190
      sub.updated ii.created ii.created
      leaves pm sub:unpaid in:open in:open in:open in:paid py:failed py:failed py:failed py:failed py:failed py:failed py:failed py:failed py:failed py:succeeded
  unpaid    yearly,yearly_or_fail → unpaid @0 30000 a year, waits 0, due 35105
      sub.updated ii.created in.created ii.updated
      leaves pm sub:unpaid in:draft in:open in:open in:open in:paid py:failed py:failed py:failed py:failed py:failed py:failed py:failed py:failed py:failed py:succeeded
  unpaid    restart           → unpaid @0 1000 a week, waits 0, due 595
      sub.updated ii.created in.created ii.updated
      leaves pm sub:unpaid in:draft in:open in:open in:open in:paid py:failed py:failed py:failed py:failed py:failed py:failed py:failed py:failed py:failed py:succeeded
  unpaid    credit_and_cancel → canceled @3 1000 a week, waits 0, due 1190
      ii.created sub.canceled ii.deleted in.updated in.updated in.updated
      leaves pm sub:canceled in:open in:open in:open in:paid py:failed py:failed py:failed py:failed py:failed py:failed py:failed py:failed py:failed py:succeeded
  unpaid    settle_and_cancel → canceled @3 1000 a week, waits 0, due 0
      ii.created in.created ii.updated cus.updated in.finalized in.paid sub.canceled in.updated in.updated in.updated
      leaves pm sub:canceled in:open in:open in:open in:paid in:paid py:failed py:failed py:failed py:failed py:failed py:failed py:failed py:failed py:failed py:succeeded

  canceled  raise,raise_now,raise_or_fail,raise_later,lower_now,yearly,yearly_or_fail → same ! subscription_unexpected_state
  canceled  restart,credit_and_cancel,settle_and_cancel → same ! subscription_unexpected_state
  canceled  preview           → same ! invoice_upcoming_none
`

interface Subject {
  readonly id: string
  readonly item: string
}

const HALF_WEEK = 3.5 * DAY
const SEAT = { description: 'Seat', type: 'seat', price_data: { amount: 1000, tax_percent: 19 } }

const subscribed =
  (order: Order, then: (sandbox: Sandbox, id: string) => Promise<unknown>) =>
  async (sandbox: Sandbox): Promise<Subject> => {
    const { id, items } = await subscribe(sandbox, { interval: 'week', items: [SEAT], ...order })
    await then(sandbox, id)
    return { id, item: items[0]?.id ?? '' }
  }

const halfway = (sandbox: Sandbox) => sandbox.advance(HALF_WEEK)

async function toPastDue(sandbox: Sandbox, id: string): Promise<void> {
  await toNextPeriod(sandbox, id)
  await halfway(sandbox)
}

// The last retry is 15 days after the renewal, one day into the period after the next.
async function toUnpaid(sandbox: Sandbox, id: string): Promise<void> {
  await toNextPeriod(sandbox, id)
  await sandbox.advance(14 * DAY + HALF_WEEK)
}

const change =
  (price: number, fields: object) =>
  (sandbox: Sandbox, { id, item }: Subject) =>
    sandbox.call(api.subscriptions.update, {
      id,
      items: [{ id: item, price_data: { amount: price } }],
      ...fields,
    })

const LIFECYCLE: Lifecycle<Subject> = {
  table: TABLE,
  dunning: { retry_days: [3, 5, 7], on_exhausted: 'unpaid' },
  states: {
    pending: subscribed({ start_date: START + 10 * DAY }, halfway),
    active: subscribed({}, halfway),
    broke: subscribed({ card: 'renewal_no_funds' }, halfway),
    ending: subscribed({}, async (sandbox, id) => {
      await sandbox.call(api.subscriptions.update, { id, cancel_at_period_end: true })
      await halfway(sandbox)
    }),
    past_due: subscribed({ card: 'renewal_no_funds' }, toPastDue),
    unpaid: subscribed({ card: 'renewal_no_funds' }, toUnpaid),
    canceled: subscribed({}, (sandbox, id) => sandbox.call(api.subscriptions.cancel, { id })),
  },
  triggers: {
    raise: change(2000, {}),
    raise_now: change(2000, { proration_behavior: 'always_invoice' }),
    raise_or_fail: change(2000, {
      proration_behavior: 'always_invoice',
      payment_behavior: 'error_if_incomplete',
    }),
    raise_later: change(2000, { proration_behavior: 'none' }),
    lower_now: change(500, { proration_behavior: 'always_invoice' }),
    yearly: change(30_000, { interval: 'year' }),
    yearly_or_fail: change(30_000, { interval: 'year', payment_behavior: 'error_if_incomplete' }),
    restart: (sandbox, { id }) => sandbox.call(api.subscriptions.update, { id, billing_cycle_anchor: 'now' }),
    credit_and_cancel: (sandbox, { id }) => sandbox.call(api.subscriptions.cancel, { id, prorate: true }),
    settle_and_cancel: (sandbox, { id }) =>
      sandbox.call(api.subscriptions.cancel, { id, prorate: true, invoice_now: true }),
    preview: (sandbox, { id }) => sandbox.call(api.subscriptions.preview, { id, interval: 'year' }),
  },
  stateOf: async (sandbox, { id }) => {
    const { status, period_index, interval, items } = await sandbox.call(api.subscriptions.retrieve, { id })
    const { invoices, invoice_items } = (await sandbox.snapshot()).records
    const waiting = invoice_items.flatMap((item) =>
      'invoice' in item && item.invoice === null ? item.total : [],
    )
    const sum = waiting.reduce((total, one) => total + one, 0)
    const price = items.map(({ price_data }) => price_data.amount).join('+')
    const due = invoices.at(-1)?.amount_due ?? 0
    return `${status} @${period_index} ${price} a ${interval}, waits ${sum}, due ${due}`
  },
}

testLifecycle(test, LIFECYCLE)

test.run()

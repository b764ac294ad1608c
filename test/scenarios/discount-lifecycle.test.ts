import { api } from '../../src/api/api.ts'
import type { Coupon } from '../../src/domain/sessions/coupons.ts'
import { invoicesOf, toNextPeriod } from '../support/billing.ts'
import { after, type Lifecycle, testLifecycle } from '../support/lifecycle.ts'
import { newCheckout } from '../support/samples.ts'
import { DAY, type Sandbox, START } from '../support/sandbox.ts'
import { suite } from '../support/suite.ts'

const test = suite('scenarios/discount-lifecycle')

/**
 * A subscription by its discount: none, of the first invoice, of two months, of all invoices, in a trial, and before
 * its start. The state is the status, the discounted amounts of the invoices and the remaining discount.
 */
const TABLE = `
  none     renew  → active 0 0 -
      sub.renewed in.created in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid py:succeeded py:succeeded
  none     twice  → active 0 0 0 -
      sub.renewed in.created in.finalized py.created py.succeeded in.paid sub.renewed in.created in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid in:paid py:succeeded py:succeeded py:succeeded
  none     give   → active 0 forever
      coup.created coup.updated sub.updated
      leaves pm sub:active in:paid py:succeeded
  none     remove,forget → same
  none     now    → active 0 0 -
      sub.updated ii.created in.created ii.updated in.finalized in.paid
      leaves pm sub:active in:paid in:paid py:succeeded
  once     renew  → active 25000 0 -
      sub.updated sub.renewed in.created in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid py:succeeded py:succeeded
  once     twice  → active 25000 0 0 -
      sub.updated sub.renewed in.created in.finalized py.created py.succeeded in.paid sub.renewed in.created in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid in:paid py:succeeded py:succeeded py:succeeded
  once,two,forever,ending give   → active 25000 forever
      coup.created coup.updated sub.updated
      leaves pm sub:active in:paid py:succeeded
  once,two,forever,ending remove → active 25000 -
      sub.updated
      leaves pm sub:active in:paid py:succeeded
  once,ending forget → active 25000 used
      coup.deleted
      leaves pm sub:active in:paid py:succeeded
  once,ending now    → active 25000 0 used
      sub.updated ii.created in.created ii.updated in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid py:succeeded py:succeeded
  two      renew  → active 25000 25000 until 60
      sub.renewed in.created in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid py:succeeded py:succeeded
  two      twice  → active 25000 25000 0 -
      sub.renewed in.created in.finalized py.created py.succeeded in.paid sub.updated sub.renewed in.created in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid in:paid py:succeeded py:succeeded py:succeeded
  two      forget → active 25000 until 60
      coup.deleted
      leaves pm sub:active in:paid py:succeeded
  two      now    → active 25000 25000 until 60
      sub.updated ii.created in.created ii.updated in.finalized in.paid
      leaves pm sub:active in:paid in:paid py:succeeded
  forever  renew  → active 25000 25000 forever
      sub.renewed in.created in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid py:succeeded py:succeeded
  forever  twice  → active 25000 25000 25000 forever
      sub.renewed in.created in.finalized py.created py.succeeded in.paid sub.renewed in.created in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid in:paid py:succeeded py:succeeded py:succeeded
  forever  forget → active 25000 forever
      coup.deleted
      leaves pm sub:active in:paid py:succeeded
  forever  now    → active 25000 25000 forever
      sub.updated ii.created in.created ii.updated in.finalized in.paid
      leaves pm sub:active in:paid in:paid py:succeeded
  trial    renew  → active 0 25000 used
      sub.trial_will_end sub.started in.created in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid py:succeeded
  trial    twice  → active 0 25000 0 -
      sub.trial_will_end sub.started in.created in.finalized py.created py.succeeded in.paid sub.updated sub.renewed in.created in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid in:paid py:succeeded py:succeeded
  trial    give   → trialing 0 forever
      coup.created coup.updated sub.updated
      leaves pm sub:trialing in:paid timer
  trial    remove → trialing 0 -
      sub.updated
      leaves pm sub:trialing in:paid timer
  trial    forget → trialing 0 forever
      coup.deleted
      leaves pm sub:trialing in:paid timer
  trial,upcoming,ended now    → same ! subscription_unexpected_state
  upcoming renew  → active 25000 used
      sub.started in.created in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid py:succeeded
  upcoming twice  → active 25000 0 -
      sub.started in.created in.finalized py.created py.succeeded in.paid sub.updated sub.renewed in.created in.finalized py.created py.succeeded in.paid
      leaves pm sub:active in:paid in:paid py:succeeded py:succeeded
  upcoming give   → pending forever
      coup.created coup.updated sub.updated
      leaves pm sub:pending
  upcoming remove → pending -
      sub.updated
      leaves pm sub:pending
  upcoming forget → pending forever
      coup.deleted
      leaves pm sub:pending
  ending   renew,twice → canceled 25000 used
      sub.canceled
      leaves pm sub:canceled in:paid py:succeeded
  ended    renew,twice → same
  ended    give   → canceled 25000 used ! subscription_unexpected_state
      coup.created
      leaves pm sub:canceled in:paid py:succeeded
  ended    remove → same ! subscription_unexpected_state
  ended    forget → canceled 25000 used
      coup.deleted
      leaves pm sub:canceled in:paid py:succeeded
`

type Terms = Parameters<typeof newCheckout>[1]

async function createCoupon(sandbox: Sandbox, fields: object = {}): Promise<Coupon> {
  return sandbox.call(api.coupons.create, { percent_off: 25, ...fields })
}

/**
 * Returns a function that creates a subscription of 1000.00 EUR per month plus 20 % tax, with a coupon unless `fields`
 * is null.
 */
const discounted =
  (fields: object | null, terms: Terms = {}) =>
  async (sandbox: Sandbox): Promise<string> => {
    const coupon = fields === null ? null : await createCoupon(sandbox, fields)
    const discounts = coupon === null ? {} : { discounts: [{ coupon: coupon.id }] }
    const { id } = await newCheckout(sandbox, terms, discounts)
    const { subscription } = await sandbox.call(api.checkoutSessions.complete, { id, test_card: 'visa' })
    return subscription ?? ''
  }

const stateOf = async (sandbox: Sandbox, id: string): Promise<string> => {
  const { status, discount } = await sandbox.call(api.subscriptions.retrieve, { id })
  const invoices = await invoicesOf(sandbox, id)
  const until = discount?.end == null ? 'forever' : `until ${(discount.end - START) / DAY}`
  const rest = discount === null ? '-' : discount.invoice === null ? until : 'used'
  return [status, ...invoices.map(({ discount_amount }) => discount_amount), rest].join(' ')
}

const update = (sandbox: Sandbox, id: string, fields: object) =>
  sandbox.call(api.subscriptions.update, { id, ...fields })

const LIFECYCLE: Lifecycle<string> = {
  table: TABLE,
  states: {
    none: discounted(null),
    once: discounted({}),
    two: discounted({ duration: 'repeating', duration_in_months: 2 }),
    forever: discounted({ duration: 'forever' }),
    trial: discounted({}, { trial_days: 14 }),
    upcoming: discounted({}, { start_date: START + DAY }),
    ending: after(discounted({}), (sandbox, id) => update(sandbox, id, { cancel_at_period_end: true })),
    ended: after(discounted({}), (sandbox, id) => sandbox.call(api.subscriptions.cancel, { id })),
  },
  triggers: {
    renew: toNextPeriod,
    twice: async (sandbox, id) => {
      await toNextPeriod(sandbox, id)
      await toNextPeriod(sandbox, id)
    },
    give: async (sandbox, id) => {
      const coupon = await createCoupon(sandbox, { percent_off: 50, duration: 'forever' })
      await update(sandbox, id, { discount: { coupon: coupon.id } })
    },
    remove: (sandbox, id) => update(sandbox, id, { discount: null }),
    forget: async (sandbox, id) => {
      const { discount } = await sandbox.call(api.subscriptions.retrieve, { id })
      if (discount !== null) await sandbox.call(api.coupons.delete, { id: discount.coupon })
    },
    now: (sandbox, id) => update(sandbox, id, { billing_cycle_anchor: 'now' }),
  },
  stateOf,
}

testLifecycle(test, LIFECYCLE)

test.run()

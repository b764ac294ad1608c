import fc from 'fast-check'
import { api } from '../../src/api/api.ts'
import type { Coupon } from '../../src/domain/sessions/coupons.ts'
import { any, pickId } from './pick-records.ts'
import { act, optionalPick, type Performers, pick, type ValueOf, weighted } from './random-acts.ts'
import { orderParams, payers } from './random-params.ts'
import type { Sandbox } from './sandbox.ts'

const durations = fc.oneof(
  fc.record({ duration: fc.constantFrom('once' as const, 'forever' as const) }),
  fc.record({
    duration: fc.constant('repeating' as const),
    duration_in_months: fc.integer({ min: 1, max: 4 }),
  }),
)
const discounts = fc.oneof(
  fc.record({ percent_off: fc.constantFrom(0.01, 12.5, 33.33, 100) }),
  fc.record({ amount_off: fc.integer({ min: 1, max: 100_000 }), currency: fc.constantFrom('eur', 'jpy') }),
)
const max_redemptions = fc.integer({ min: 1, max: 3 })
const couponParams = fc
  .tuple(durations, discounts, fc.record({ max_redemptions }, { requiredKeys: [] }))
  .map(([duration, discount, limit]) => ({ ...duration, ...discount, ...limit }))
// A few codes, so that codes collide and are entered in another case.
const code = fc.constantFrom('SPRING', 'spring', 'Autumn')
const codeParams = fc.record(
  { code, max_redemptions, first_time_only: fc.boolean() },
  { requiredKeys: ['code'] },
)

/** Generates an operation on coupons, promotion codes and discounts. */
export const couponActs = weighted(
  [3, act('create coupon', { params: couponParams })],
  [1, act('delete coupon', { pick })],
  [3, act('create code', { pick, params: codeParams })],
  [1, act('switch code', { pick, active: fc.boolean() })],
  [4, act('buy discounted', { pick, coupon: pick, alias: payers, params: orderParams })],
  [4, act('buy with code', { pick, code, alias: payers, params: orderParams })],
  [3, act('give discount', { pick, coupon: optionalPick })],
)

/** Performs operations on coupons, promotion codes and discounts. */
export const PERFORM_COUPON: Performers<ValueOf<typeof couponActs>> = {
  'create coupon': (sandbox, { params }) => sandbox.call(api.coupons.create, params),
  'delete coupon': async (sandbox, { pick }) =>
    sandbox.call(api.coupons.delete, { id: await couponOf(sandbox, pick) }),
  'create code': async (sandbox, { pick, params }) =>
    sandbox.call(api.promotionCodes.create, { coupon: await couponOf(sandbox, pick), ...params }),
  'switch code': async (sandbox, { pick, active }) => {
    const id = (await any(sandbox, 'promotion_codes', { pick }))?.id ?? 'nobody'
    return sandbox.call(api.promotionCodes.update, { id, active })
  },
  'buy discounted': async (sandbox, { pick, coupon, alias, params }, { customers }) => {
    const discount = { discounts: [{ coupon: await couponOf(sandbox, coupon) }] }
    const order = { ...params, ...discount, customer: pickId(customers, pick) }
    const { id } = await sandbox.call(api.checkoutSessions.create, order)
    return sandbox.call(api.checkoutSessions.complete, { id, test_card: alias })
  },
  'buy with code': async (sandbox, { pick, code, alias, params }, { customers, sessions }) => {
    const order = { ...params, allow_promotion_codes: true, customer: pickId(customers, pick) }
    const { id } = await sandbox.call(api.checkoutSessions.create, order)
    sessions.push(id)
    return sandbox.call(api.checkoutSessions.complete, { id, test_card: alias, promotion_code: code })
  },
  'give discount': async (sandbox, { pick, coupon }) => {
    const states = ['pending', 'trialing', 'active', 'past_due', 'unpaid', 'paused']
    const id = (await any(sandbox, 'subscriptions', { pick, states }))?.id ?? 'nobody'
    const discount = coupon === null ? null : { coupon: await couponOf(sandbox, coupon) }
    return sandbox.call(api.subscriptions.update, { id, discount })
  },
}

async function couponOf(sandbox: Sandbox, pick: number): Promise<Coupon['id']> {
  return (await any(sandbox, 'coupons', { pick }))?.id ?? 'nobody'
}

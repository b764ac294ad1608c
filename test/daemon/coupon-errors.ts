import { api } from '../../src/api/api.ts'
import { subscribe } from '../support/billing.ts'
import { newCheckout } from '../support/samples.ts'
import { type Sandbox, START } from '../support/sandbox.ts'
import type { Provoke } from './http/provoke-error.ts'

async function createCode(sandbox: Sandbox, coupon: object = {}, code: object = {}) {
  const { id } = await sandbox.call(api.coupons.create, { percent_off: 25, ...coupon })
  return sandbox.call(api.promotionCodes.create, { coupon: id, code: 'SPRING', ...code })
}

/** Returns a function that completes a session with a promotion code after a change. */
const completeAfter =
  (change: (sandbox: Sandbox) => Promise<unknown>, coupon?: object): Provoke =>
  async ({ post, sandbox }) => {
    const { id: promotion_code } = await createCode(sandbox, coupon)
    const { id } = await newCheckout(sandbox, {}, { discounts: [{ promotion_code }] })
    await change(sandbox)
    return post(`/v1/test_helpers/checkout_sessions/${id}/complete`, { test_card: 'visa' })
  }

async function buyWithCode(sandbox: Sandbox): Promise<void> {
  const { id } = await newCheckout(sandbox, {}, { allow_promotion_codes: true })
  await sandbox.call(api.checkoutSessions.complete, { id, test_card: 'visa', promotion_code: 'SPRING' })
}

async function deactivateCode(sandbox: Sandbox): Promise<void> {
  const { data } = await sandbox.call(api.promotionCodes.list, {})
  await sandbox.call(api.promotionCodes.update, { id: data[0]?.id ?? '', active: false })
}

/** Errors of coupons and promotion codes, by code. */
export const COUPON_ERRORS: Readonly<Record<string, Provoke>> = {
  percent_off_invalid: ({ post }) => post('/v1/coupons', { percent_off: 12.345 }),
  coupon_exists: async ({ post }) => {
    await post('/v1/coupons', { id: 'SPRING', percent_off: 10 })
    return post('/v1/coupons', { id: 'SPRING', percent_off: 10 })
  },
  coupon_exhausted: completeAfter(buyWithCode, { max_redemptions: 1 }),
  coupon_expired: completeAfter(async (sandbox) => sandbox.setClock(START + 120), { redeem_by: START + 60 }),
  promotion_code_exists: async ({ post, sandbox }) => {
    const { coupon } = await createCode(sandbox)
    return post('/v1/promotion_codes', { coupon, code: 'spring' })
  },
  promotion_code_inactive: completeAfter(deactivateCode),
  promotion_code_not_allowed: async ({ post, sandbox }) => {
    await createCode(sandbox)
    const { id } = await newCheckout(sandbox)
    const body = { test_card: 'visa', promotion_code: 'SPRING' }
    return post(`/v1/test_helpers/checkout_sessions/${id}/complete`, body)
  },
  promotion_code_first_time_only: async ({ post, sandbox }) => {
    await createCode(sandbox, {}, { first_time_only: true })
    const { customer } = await subscribe(sandbox)
    const { id } = await newCheckout(sandbox, {}, { customer, allow_promotion_codes: true })
    const body = { test_card: 'visa', promotion_code: 'SPRING' }
    return post(`/v1/test_helpers/checkout_sessions/${id}/complete`, body)
  },
}

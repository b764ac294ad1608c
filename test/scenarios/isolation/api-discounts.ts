import { api } from '../../../src/api/api.ts'
import type { Conversation } from './conversation.ts'

/** Gives a subscription a discount, and uses every operation on coupons and promotion codes. */
export async function discounts({ call, reject }: Conversation, subscription: string): Promise<void> {
  const { id } = await call(api.coupons.create, { percent_off: 10, max_redemptions: 1 })
  const code = await call(api.promotionCodes.create, { coupon: id, code: 'SPRING' })
  await call(api.subscriptions.update, { id: subscription, discount: { coupon: id } })
  await reject(api.subscriptions.update, { id: subscription, discount: { coupon: id } }, 'coupon_exhausted')
  await call(api.coupons.retrieve, { id })
  await call(api.coupons.update, { id, name: 'Spring offer' })
  await call(api.promotionCodes.update, { id: code.id, active: false })
  await call(api.promotionCodes.retrieve, { id: code.id })
  await call(api.coupons.delete, { id })
}

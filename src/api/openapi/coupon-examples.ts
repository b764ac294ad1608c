import type { Change } from '../../domain/core/changes.ts'
import { createCoupon, deleteCoupon } from '../../domain/sessions/coupons.ts'
import { redeemCoupon } from '../../domain/sessions/discounts.ts'
import { createPromotionCode } from '../../domain/sessions/promotion-codes.ts'
import { coupons } from '../operations/coupons.ts'
import { promotionCodes } from '../operations/promotion-codes.ts'
import { EXAMPLE_CONTEXT, getExampleParams } from './example-context.ts'

/** Returns the changes of a coupon and a promotion code that are created, redeemed and deleted. */
export function createCouponExampleChanges(): Change[] {
  const coupon = createCoupon(getExampleParams(coupons.create), EXAMPLE_CONTEXT)
  const code = createPromotionCode(getExampleParams(promotionCodes.create), null, EXAMPLE_CONTEXT)
  const redemption = { coupon: coupon.after, promotionCode: code.after }
  const redeemed = redeemCoupon(redemption, { test_clock: null }, EXAMPLE_CONTEXT)
  return [coupon, code, ...redeemed, deleteCoupon(coupon.after)]
}

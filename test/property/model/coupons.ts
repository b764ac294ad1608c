import { isRedeemable, redeem } from './discounts.ts'
import { DisputeModel } from './disputes.ts'
import type { Coupon, PromotionCode, StepOutcome, Subscription } from './state.ts'

/** The model of coupons and promotion codes. */
export abstract class CouponModel extends DisputeModel {
  readonly coupons: Coupon[] = []
  readonly promotionCodes: PromotionCode[] = []

  addCoupon(terms: Omit<Coupon, 'uses' | 'isDeleted'>): StepOutcome {
    this.coupons.push({ ...terms, uses: 0, isDeleted: false })
    return 'ok'
  }

  deleteCoupon(coupon: Coupon): StepOutcome {
    if (coupon.isDeleted) return 'refused'
    coupon.isDeleted = true
    return 'ok'
  }

  addPromotionCode(terms: Omit<PromotionCode, 'uses' | 'isActive'>): StepOutcome {
    if (terms.coupon.isDeleted) return 'refused'
    this.promotionCodes.push({ ...terms, uses: 0, isActive: true })
    return 'ok'
  }

  setPromotionCodeActive(code: PromotionCode, isActive: boolean): StepOutcome {
    code.isActive = isActive
    return 'ok'
  }

  /** Redeems a coupon for a subscription; null ends its discount. Returns false if the coupon cannot be redeemed. */
  protected giveDiscount(subscription: Subscription, coupon: Coupon | null): boolean {
    if (coupon !== null && !isRedeemable(coupon, subscription.terms.currency)) return false
    subscription.discount = coupon && redeem(coupon, null, discountStart(subscription))
    return true
  }
}

/**
 * Returns the start of a discount that is given now: the end of the trial, the start of a pending subscription, or now.
 */
function discountStart({ status, trial, terms, customer }: Subscription): number {
  if (status === 'trialing' && trial !== null) return trial.end
  return status === 'pending' ? terms.rhythm.anchor : customer.clock.now
}

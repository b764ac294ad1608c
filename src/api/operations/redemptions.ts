import type { Redemption } from '../../domain/sessions/discounts.ts'
import { loadPromotionCodeRedemption } from '../../engine/load-redemption.ts'
import type { StoreReader } from '../../store/port/store.ts'
import { requireById } from '../core/retrieve.ts'

/** Loads the coupon or the promotion code that a parameter names; throws when this object does not exist. */
export async function loadRequestedRedemption(
  reader: StoreReader,
  { coupon, promotion_code }: { readonly coupon?: string; readonly promotion_code?: string },
  { customer, param }: { readonly customer: string; readonly param: string },
): Promise<Redemption> {
  if (promotion_code === undefined)
    return {
      coupon: await requireById(reader, 'coupons', coupon ?? '', `${param}[coupon]`),
      promotionCode: null,
    }
  const found = await requireById(reader, 'promotion_codes', promotion_code, `${param}[promotion_code]`)
  return loadPromotionCodeRedemption(reader, found, customer)
}

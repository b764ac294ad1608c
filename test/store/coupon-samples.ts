import type { CollectionRecordTypes } from '../../src/store/port/collections.ts'

const listed = { created: 1_700_000_000, livemode: false } as const

/** Samples of a coupon, its promotion code and the record of a code that a customer entered. */
export const COUPON_SAMPLES = {
  coupons: {
    id: 'coup_sample',
    object: 'coupon',
    ...listed,
    name: 'Spring offer',
    percent_off: 12.5,
    amount_off: null,
    duration: 'once',
    currency: null,
    duration_in_months: null,
    redeem_by: null,
    max_redemptions: 10,
    times_redeemed: 1,
    valid: true,
    metadata: { order: '6735' },
  },
  promotion_codes: {
    id: 'promo_sample',
    object: 'promotion_code',
    ...listed,
    coupon: 'coup_sample',
    code: 'Spring-25',
    active: true,
    max_redemptions: null,
    times_redeemed: 1,
    expires_at: null,
    first_time_only: false,
    metadata: { order: '6735' },
  },
  entered_codes: { id: 'cks_sample', object: 'entered_code', promotion_code: 'promo_sample' },
} as const satisfies Pick<CollectionRecordTypes, 'coupons' | 'promotion_codes' | 'entered_codes'>

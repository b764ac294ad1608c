import { type Change, isDeleted, type RuleContext, toUpdate } from '../core/changes.ts'
import { DomainError, type Unvalidated, type ValidationError } from '../core/domain-error.ts'
import { calculateLineTotals, shareDiscount, sumLineTotals } from '../core/money.ts'
import * as p from '../core/params.ts'
import * as s from '../core/schema.ts'
import { formatTimestamp } from '../text/format-timestamp.ts'
import { getPeriodStart } from '../time/periods.ts'
import { type Coupon, couponTermsProperties, type DeletedCoupon, isExhausted } from './coupons.ts'
import { type PricedItem, toTaxableLine } from './item-amounts.ts'
import type { PromotionCode } from './promotion-codes.ts'

const discount = s.object(
  {
    coupon: s.id('The redeemed coupon, which may be deleted.'),
    promotion_code: s.nullable(s.id('The entered promotion code; null without a promotion code.')),
    ...couponTermsProperties,
    start: s.timestamp('The discount applies to periods that start at this time or later.'),
    end: s.nullable(
      s.timestamp('The discount applies to periods that start before this time; null without an end.'),
    ),
    invoice: s.nullable(
      s.id(
        'The invoice that used up a discount of the duration `once`; null before this invoice, and for other durations.',
      ),
    ),
  },
  'The discount on the invoices of the subscription; null without a discount.',
)

export type Discount = s.ValueOf<typeof discount>

/** The schema of the field `discount` of a subscription or an invoice. */
export const discountField = s.nullable(discount)

/** The discount fields of a checkout session. */
export const sessionDiscountProperties = {
  discounts: s.arrayOf(
    s.object(
      {
        coupon: s.id('The coupon.'),
        promotion_code: s.nullable(s.id('The promotion code; null without a promotion code.')),
      },
      'A discount.',
    ),
    'A list with the discount of the subscription, or an empty list. After the completion, the list contains a code that the customer entered.',
  ),
  allow_promotion_codes: s.boolean('Whether the customer can enter a promotion code on the page.'),
}

/** The discount parameters of a new checkout session. */
export const sessionDiscountParams = {
  discounts: {
    ...p.list(
      p.shape(
        {},
        {
          coupon: p.id('Coupon to redeem.'),
          promotion_code: p.id('Id of the promotion code to redeem, such as promo_….'),
        },
        'A coupon or a promotion code.',
      ),
      1,
      'Discount of the subscription: one coupon or promotion code. Excludes allow_promotion_codes.',
    ),
    // Accept the empty list of a session without a discount, so that programs can send this list back.
    minItems: 0,
  },
  allow_promotion_codes: p.boolean(
    'Let the customer enter a promotion code on the page (default: false). Excludes discounts.',
  ),
}

/** The parameter `discount` of an update of a subscription. */
export const subscriptionDiscountParam = s.nullable(
  p.shape(
    { coupon: p.id('Coupon to redeem.') },
    {},
    'Coupon that discounts the periods that start from now on, or after the trial; null ends the discount.',
  ),
)

type DiscountFields = {
  readonly [K in keyof typeof sessionDiscountParams]?: s.ValueOf<(typeof sessionDiscountParams)[K]>
}

/** Returns the validation errors of the discount of a new checkout session. */
export function listDiscountErrors({
  discounts = null,
  allow_promotion_codes,
}: Unvalidated<DiscountFields>): ValidationError[] {
  const [given] = discounts ?? []
  if (given === undefined || given === null) return []
  const { coupon, promotion_code } = given
  if (allow_promotion_codes === true) {
    const message =
      'Give discounts or allow_promotion_codes, not both: a subscription has one discount. Omit one of them.'
    return [{ code: 'parameters_exclusive', param: 'allow_promotion_codes', message }]
  }
  if (coupon === undefined && promotion_code === undefined) {
    const message = 'Missing discounts[0][coupon]: give a coupon or a promotion_code.'
    return [{ code: 'parameter_missing', param: 'discounts[0][coupon]', message }]
  }
  if (coupon === undefined || promotion_code === undefined) return []
  const message =
    'Give discounts[0][coupon] or discounts[0][promotion_code], not both: the promotion code names its coupon.'
  return [{ code: 'parameters_exclusive', param: 'discounts[0][promotion_code]', message }]
}

/** A coupon that a customer redeems, with the entered promotion code, if any. */
export interface Redemption {
  readonly coupon: Coupon | DeletedCoupon
  readonly promotionCode: PromotionCode | null
  /** Whether the customer has no subscription and no payment; undefined if the code does not require this. */
  readonly isFirstPurchase?: boolean
}

/**
 * Returns the error that prevents a redemption at `now`, in Unix seconds. The coupon or code was deleted, deactivated,
 * expired or used up, or is not valid for this customer or currency. Returns null when the redemption is possible.
 */
export function findRedemptionError(
  { coupon, promotionCode, isFirstPurchase = true }: Redemption,
  {
    currency,
    now,
    param,
  }: { readonly currency: string; readonly now: number; readonly param: string | null },
): DomainError | null {
  const error = (code: string, message: string) => new DomainError(code, message, { param })
  const name = promotionCode === null ? `Coupon '${coupon.id}'` : `Promotion code '${promotionCode.code}'`
  const another = `Use another ${promotionCode === null ? 'coupon' : 'code'}.`
  if (isDeleted(coupon)) return error('resource_missing', `Coupon '${coupon.id}' was deleted. ${another}`)
  if (promotionCode?.active === false)
    return error('promotion_code_inactive', `${name} is not active. ${another}`)
  const expiry = findExpiry(coupon, promotionCode, now)
  if (expiry !== null)
    return error('coupon_expired', `${name} could be redeemed until ${formatTimestamp(expiry)}. ${another}`)
  if (isExhausted(coupon) || (promotionCode !== null && isExhausted(promotionCode)))
    return error('coupon_exhausted', `${name} has no redemptions left. ${another}`)
  if (coupon.amount_off !== null && coupon.currency !== currency)
    return error(
      'currency_mismatch',
      `${name} is an amount in '${coupon.currency}', and the currency here is '${currency}'. ${another}`,
    )
  if (!isFirstPurchase)
    return error(
      'promotion_code_first_time_only',
      `${name} is only for customers without a subscription or a payment. ${another}`,
    )
  return null
}

function findExpiry({ redeem_by }: Coupon, promotionCode: PromotionCode | null, now: number): number | null {
  if (redeem_by !== null && now > redeem_by) return redeem_by
  const end = promotionCode?.expires_at ?? null
  return end !== null && now >= end ? end : null
}

/**
 * Counts a redemption of the coupon, and of the promotion code if one was entered. Coupons and promotion codes have no
 * test clock, so their events always use real time.
 */
export function redeemCoupon(
  { coupon, promotionCode }: Redemption,
  { test_clock }: { readonly test_clock: string | null },
  { now, wallNow }: Pick<RuleContext, 'now' | 'wallNow'>,
): Change[] {
  if (isDeleted(coupon)) throw new Error('a deleted coupon cannot be redeemed')
  const created = test_clock === null ? now : wallNow
  const counted = { ...coupon, times_redeemed: coupon.times_redeemed + 1 }
  const after = { ...counted, valid: !isExhausted(counted) }
  const changes = [{ ...toUpdate('coupon.updated', coupon, after), created }]
  if (promotionCode === null) return changes
  const used = { ...promotionCode, times_redeemed: promotionCode.times_redeemed + 1 }
  return [...changes, { ...toUpdate('promotion_code.updated', promotionCode, used), created }]
}

/** Creates the discount of a redeemed coupon. The discount applies to periods from `start`, in Unix seconds. */
export function createDiscount({ coupon, promotionCode }: Redemption, start: number): Discount {
  if (isDeleted(coupon)) throw new Error('a deleted coupon has no terms')
  const { name, percent_off, amount_off, duration, duration_in_months: months } = coupon
  return {
    coupon: coupon.id,
    promotion_code: promotionCode?.id ?? null,
    ...{ name, percent_off, amount_off, duration },
    start,
    end: months === null ? null : monthsAfter(start, months),
    invoice: null,
  }
}

// The end is clamped to the last day of its month, as for billing periods.
function monthsAfter(anchor: number, interval_count: number): number {
  return getPeriodStart({ anchor, interval: 'month', interval_count }, 1)
}

/**
 * Moves the start of a discount to the new end of a trial; returns null without a discount. A discount with an end
 * keeps its number of months.
 */
export function rescheduleDiscount(given: Discount | null, start: number): Discount | null {
  if (given === null || given.start === start) return given
  return { ...given, start, end: given.end === null ? null : monthsAfter(start, monthsOf(given, given.end)) }
}

// The result is exact, because the end is in the month that is this number of months after the start.
function monthsOf({ start }: Discount, end: number): number {
  const [from, to] = [new Date(start * 1000), new Date(end * 1000)]
  return (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()
}

/** Returns whether a discount applies to an invoice of a period that starts at `start`, in Unix seconds. */
export function isDiscountApplicable(given: Discount, start: number, invoice: string | null): boolean {
  const isUnused = given.invoice === null || given.invoice === invoice
  return given.start <= start && (given.end === null || start < given.end) && isUnused
}

/** Returns whether a discount applies to no period that starts at `start`, in Unix seconds, or later; false for null. */
export function isDiscountEnded(given: Discount | null, start: number): boolean {
  if (given === null) return false
  return given.invoice !== null || (given.end !== null && given.end <= start)
}

interface DiscountableSession {
  readonly subscription_data: { readonly items: readonly PricedItem[] }
}

/** Returns an open checkout session with the discount of a redemption, and its prices. */
export function discountSession<S extends DiscountableSession>(
  session: S,
  { coupon, promotionCode }: Redemption,
): S {
  if (isDeleted(coupon)) return session
  const { subscription_data: terms } = session
  const prices = terms.items.map((item) => toTaxableLine(item))
  const shares = shareDiscount(
    prices.map(({ amount }) => amount),
    coupon,
  )
  const lines = prices.map((price, at) => ({ ...price, discount_amount: shares[at] ?? 0 }))
  const items = terms.items.map((item, at) => ({
    ...item,
    ...calculateLineTotals(lines[at] ?? toTaxableLine(item)),
  }))
  return {
    ...session,
    discounts: [{ coupon: coupon.id, promotion_code: promotionCode?.id ?? null }],
    subscription_data: { ...terms, items },
    ...sumLineTotals(lines),
  }
}

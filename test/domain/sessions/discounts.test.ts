import { toDeletion } from '../../../src/domain/core/changes.ts'
import { calculateDiscount, shareDiscount } from '../../../src/domain/core/money.ts'
import { type Coupon, createCoupon, listCouponErrors } from '../../../src/domain/sessions/coupons.ts'
import {
  createDiscount,
  findRedemptionError,
  isDiscountApplicable,
  isDiscountEnded,
  type Redemption,
  redeemCoupon,
  rescheduleDiscount,
} from '../../../src/domain/sessions/discounts.ts'
import { createPromotionCode } from '../../../src/domain/sessions/promotion-codes.ts'
import { createRuleContext, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/sessions/discounts')

const context = createRuleContext()
const percent = (percent_off: number) => ({ percent_off, amount_off: null })
const amount = (amount_off: number) => ({ percent_off: null, amount_off })

/** Columns: amounts, terms, shares. */
const SHARES: readonly (readonly [
  readonly number[],
  Parameters<typeof shareDiscount>[1],
  readonly number[],
])[] = [
  [[1000], percent(25), [250]],
  [[999], percent(50), [500]],
  [[3, 3, 3], amount(1), [1, 0, 0]],
  [[100, 100, 100], percent(33.33), [34, 33, 33]],
  [[1, 2, 3], amount(5), [1, 2, 2]],
  [[1000, 500], percent(100), [1000, 500]],
  [[300, 200], amount(10_000), [300, 200]],
  [[0, 700], percent(10), [0, 70]],
  [[1000, -500], percent(10), [100, -50]],
  [[500, -500], percent(10), [0, 0]],
  [[100, -500], amount(50), [0, 0]],
  [[], percent(10), []],
  [[8_000_000_000_000_000, 1], percent(12.34), [987_200_000_000_000, 0]],
]

for (const [amounts, terms, shares] of SHARES) {
  const off = terms.percent_off === null ? terms.amount_off : `${terms.percent_off} %`
  test(`${off} off ${amounts.join(' + ')} is ${shares.join(' + ')}`, () => {
    assert.equal(shareDiscount(amounts, terms), shares)
    const sum = amounts.reduce((total, one) => total + one, 0)
    const total = shares.reduce((all, one) => all + one, 0)
    assert.is(calculateDiscount(sum, terms), total)
  })
}

const unix = (date: string) => Date.parse(`${date}T10:00:00Z`) / 1000

function redemption(fields: Parameters<typeof createCoupon>[0] = {}, code = {}): Redemption {
  const coupon = createCoupon({ percent_off: 10, ...fields }, context).after
  const promotionCode = createPromotionCode({ coupon: coupon.id, code: 'Spring', ...code }, null, context)
  return { coupon, promotionCode: promotionCode.after }
}

test('a repeating discount with 31-day anchors applies to the periods before its clamped end', () => {
  const three = redemption({ duration: 'repeating', duration_in_months: 3 })
  const discount = createDiscount(three, unix('2026-01-31'))
  assert.is(discount.end, unix('2026-04-30'))
  const discounted = ['2026-01-30', '2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30'].filter((date) =>
    isDiscountApplicable(discount, unix(date), null),
  )
  assert.equal(discounted, ['2026-01-31', '2026-02-28', '2026-03-31'])
  assert.not(isDiscountEnded(discount, unix('2026-03-31')))
  assert.ok(isDiscountEnded(discount, unix('2026-04-30')))
  assert.is(rescheduleDiscount(discount, unix('2026-02-28'))?.end, unix('2026-05-28'))
  assert.is(rescheduleDiscount(null, 0), null)
})

test('a discount of one invoice applies to no other invoice after its use', () => {
  const discount = { ...createDiscount(redemption(), START), invoice: 'in_1' }
  assert.ok(isDiscountApplicable(discount, START, 'in_1'))
  assert.not(isDiscountApplicable(discount, START, 'in_2'))
  assert.ok(isDiscountEnded(discount, START))
})

/** Columns: cause, redemption, time, error code. */
const ERRORS: readonly (readonly [string, Redemption, string | null])[] = [
  ['a coupon', redemption(), null],
  ['the last time of a coupon', redemption({ redeem_by: START }), null],
  ['a coupon after redeem_by', redemption({ redeem_by: START - 1 }), 'coupon_expired'],
  ['a code at expires_at', redemption({}, { expires_at: START }), 'coupon_expired'],
  [
    'an amount in the currency of the subscription',
    redemption({ ...amount(5), currency: 'usd' } as object),
    null,
  ],
  [
    'a code for first purchases',
    { ...redemption(), isFirstPurchase: false },
    'promotion_code_first_time_only',
  ],
  ['a used coupon', exhausted({ max_redemptions: 1 }, {}), 'coupon_exhausted'],
  ['a used code', exhausted({ max_redemptions: 2 }, { max_redemptions: 1 }), 'coupon_exhausted'],
  ['a deleted coupon', deleted(), 'resource_missing'],
]

function exhausted(fields: object, code: object): Redemption {
  const [coupon, promotionCode] = redeemCoupon(redemption(fields, code), { test_clock: null }, context)
  return { coupon: coupon?.after, promotionCode: promotionCode?.after } as unknown as Redemption
}

function deleted(): Redemption {
  const { coupon, promotionCode } = redemption()
  return { coupon: toDeletion(coupon as Coupon).after, promotionCode }
}

for (const [what, given, code] of ERRORS) {
  test(`redeeming ${what} results in ${code ?? 'no error'}`, () => {
    const error = findRedemptionError(given, { currency: 'usd', now: START, param: null })
    assert.is(error?.code ?? null, code)
  })
}

test('amount_off requires the currency of the subscription', () => {
  const given = redemption({ percent_off: undefined, amount_off: 5, currency: 'usd' } as object)
  assert.is(
    findRedemptionError(given, { currency: 'eur', now: START, param: null })?.code,
    'currency_mismatch',
  )
})

test('the last redemption makes a coupon invalid, and the event has the real time even on a test clock', () => {
  const onClock = { ...context, now: START - 99, wallNow: START }
  const given = redemption({ max_redemptions: 1 })
  const changes = redeemCoupon(given, { test_clock: 'clock_1' }, onClock)
  assert.equal(
    changes.map(({ event, created }) => [event, created]),
    [
      ['coupon.updated', START],
      ['promotion_code.updated', START],
    ],
  )
  assert.equal(Reflect.get(changes[0]?.after ?? {}, 'valid'), false)
})

/** Columns: parameters, params of the errors. */
const INVALID: readonly (readonly [Parameters<typeof listCouponErrors>[0], string])[] = [
  [{}, 'percent_off'],
  [{ percent_off: 5, amount_off: 5, currency: 'eur' }, 'amount_off'],
  [{ amount_off: 5 }, 'currency'],
  [{ percent_off: 5, currency: 'eur' }, 'currency'],
  [{ percent_off: 5, duration: 'repeating' }, 'duration_in_months'],
  [{ percent_off: 5, duration_in_months: 3 }, 'duration_in_months'],
  [{ percent_off: 5, redeem_by: START * 1000 }, 'redeem_by'],
  [{ amount_off: 5, currency: 'eur', duration: 'forever' }, ''],
  [{ percent_off: null }, ''],
]

for (const [fields, params] of INVALID) {
  test(`a coupon with ${JSON.stringify(fields)} has ${params === '' ? 'no error' : `an error of ${params}`}`, () => {
    const errors = listCouponErrors(fields)
    assert.is(errors.map(({ param }) => param).join(' '), params)
  })
}

test.run()

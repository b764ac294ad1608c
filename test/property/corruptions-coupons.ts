import { at, type Corruption, first, type Records } from './corruptions.ts'

function discounted({ invoices }: Records) {
  return first(invoices, ({ discount_amount }) => discount_amount > 0)
}

function discountOf(records: Records) {
  const { discount } = discounted(records)
  if (discount === null) throw new Error('the invoice has no discount')
  return discount
}

function redeemed({ coupons }: Records) {
  const found = coupons.flatMap((coupon) =>
    'deleted' in coupon || coupon.times_redeemed === 0 ? [] : [coupon],
  )
  return at(found, 0)
}

function usedCode({ promotion_codes }: Records) {
  return first(promotion_codes, ({ times_redeemed }) => times_redeemed > 0)
}

/** Corruptions for the invariants of coupons. */
export const COUPON_CORRUPTIONS: readonly Corruption[] = [
  [
    'P2',
    'a tax on the price without the discount',
    (records) => (at(discounted(records).lines, 0).discount_amount += 99),
  ],
  ['P3', 'a discount that its lines do not have', (records) => (discounted(records).discount_amount += 1)],
  ['P54', 'a discount of another percentage', (records) => (discountOf(records).percent_off = 50)],
  [
    'P54',
    'an amount off that is not the discount',
    (records) => Object.assign(discountOf(records), { percent_off: null, amount_off: 5 }),
  ],
  ['P54', 'a discount without a coupon', (records) => (discounted(records).discount = null)],
  ['P54', 'a discount that starts later', (records) => (discountOf(records).start += 1)],
  ['P54', 'a discount that has ended', (records) => (discountOf(records).end = discountOf(records).start)],
  [
    'P54',
    'shares that are not proportional',
    (records) => {
      const { lines } = discounted(records)
      at(lines, 0).discount_amount -= 2
      at(lines, 1).discount_amount += 2
    },
  ],
  ['P54', 'a discounted proration', (records) => (at(discounted(records).lines, 0).proration = true)],
  ['P55', 'more redemptions than allowed', (records) => (redeemed(records).max_redemptions = 1)],
  ['P55', 'a redemption that was not counted', (records) => (redeemed(records).times_redeemed = 1)],
  [
    'P55',
    'a discount of one invoice on more invoices than redemptions',
    (records) => {
      const invoice = discounted(records)
      for (let at = 0; at < redeemed(records).times_redeemed; at += 1)
        records.invoices.push({ ...invoice, id: `in_other${at}` })
    },
  ],
  ['P55', 'a used up coupon that is valid', (records) => (redeemed(records).max_redemptions = 2)],
  ['P55', 'more redemptions of a code than allowed', (records) => (usedCode(records).times_redeemed = 2)],
]

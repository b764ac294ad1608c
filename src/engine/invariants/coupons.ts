import type { Invoice } from '../../domain/billing/invoices.ts'
import { isDeleted } from '../../domain/core/changes.ts'
import type { Discount } from '../../domain/sessions/discounts.ts'
import type { Invariant } from './snapshot.ts'

/**
 * P54: the discount of an invoice is its percentage or amount of the lines that are not prorations, at most their sum. Each
 * line has its proportional share, rounded to a neighboring integer. A discount applies only between its start and its end.
 */
export const discountsAddUp: Invariant = function* ({ records }) {
  for (const invoice of records.invoices) {
    const { id, discount, discount_amount, lines } = invoice
    if (discount === null) {
      if (discount_amount !== 0) yield `${id}: discounted by ${discount_amount} without a discount`
      continue
    }
    yield* amountProblems(invoice, discount)
    const { start, end } = discount
    if (invoice.period_start < start || (end !== null && invoice.period_start >= end))
      yield `${id}: discounted at ${invoice.period_start}, outside of ${start} to ${end}`
    for (const line of lines) {
      if (line.proration && line.discount_amount !== 0) yield `${id}: ${line.id} is a discounted proration`
    }
  }
}

function* amountProblems({ id, lines, discount_amount }: Invoice, discount: Discount): Generator<string> {
  const eligible = lines.filter(({ proration }) => !proration)
  const sum = eligible.reduce((total, { amount }) => total + BigInt(amount), 0n)
  const wanted = discountOn(sum, discount)
  if (BigInt(discount_amount) !== wanted) yield `${id}: discount_amount is ${discount_amount}, not ${wanted}`
  if (wanted === 0n) return
  for (const { id: line, amount, discount_amount: share } of eligible) {
    const difference = BigInt(share) * sum - wanted * BigInt(amount)
    if (difference >= sum || difference <= -sum) yield `${id}: discount of ${line} is ${share}`
  }
}

// The result is exact, because a percentage has at most two decimals.
function discountOn(sum: bigint, { percent_off, amount_off }: Discount): bigint {
  if (sum <= 0n) return 0n
  if (percent_off !== null) return (sum * BigInt(Math.round(percent_off * 100)) + 5000n) / 10_000n
  const off = BigInt(amount_off ?? 0)
  return off < sum ? off : sum
}

/**
 * P55: a coupon or promotion code has at most `max_redemptions` redemptions. A coupon has at least one redemption for
 * each subscription with its discount, or for each invoice if its duration is `once`. Redemptions of a promotion code
 * count for its coupon, and a coupon is valid while it has redemptions left.
 */
export const redemptionsAreCounted: Invariant = function* ({ records }) {
  const codesOf = Map.groupBy(records.promotion_codes, ({ coupon }) => coupon)
  const discounts = records.subscriptions.flatMap(({ discount }) => discount ?? [])
  const given = Map.groupBy(discounts, ({ coupon }) => coupon)
  const usedOnce = records.invoices.filter(({ discount }) => discount?.duration === 'once')
  const invoicesOf = Map.groupBy(usedOnce, ({ discount }) => discount?.coupon)
  for (const coupon of records.coupons) {
    if (isDeleted(coupon)) continue
    const { id, times_redeemed: times, max_redemptions: max, valid } = coupon
    const byCode = (codesOf.get(id) ?? []).reduce((sum, code) => sum + code.times_redeemed, 0)
    const least = Math.max(byCode, given.get(id)?.length ?? 0, invoicesOf.get(id)?.length ?? 0)
    if (max !== null && times > max) yield `${id}: redeemed ${times} times of ${max}`
    if (times < least) yield `${id}: redeemed ${times} times, but used ${least} times`
    if (valid !== (max === null || times < max)) yield `${id}: valid is ${valid} after ${times} of ${max}`
  }
  for (const { id, times_redeemed: times, max_redemptions: max } of records.promotion_codes) {
    if (max !== null && times > max) yield `${id}: redeemed ${times} times of ${max}`
  }
}

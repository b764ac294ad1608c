import type { Change, RuleContext } from '../core/changes.ts'
import { addAmounts, calculateLineTotals, shareDiscount, type TaxableLine } from '../core/money.ts'
import {
  createDiscount,
  type Discount,
  findRedemptionError,
  isDiscountApplicable,
  type Redemption,
  redeemCoupon,
} from '../sessions/discounts.ts'
import { toTaxableLine } from '../sessions/item-amounts.ts'
import type { InvoiceItem } from './invoice-items.ts'
import type { Subscription } from './subscriptions.ts'

/** Returns the items of a subscription with the prices of its current period; prices are 0 during a trial. */
export function listBilledItems({
  status,
  items,
}: Pick<Subscription, 'status' | 'items'>): Subscription['items'] {
  if (status !== 'trialing') return items
  return items.map((item) => ({ ...item, price_data: { ...item.price_data, amount: 0 } }))
}

interface DiscountableLine extends TaxableLine {
  readonly id: string
  readonly proration: boolean
}

/**
 * Returns the lines of a new invoice with their discounts, and the applied discount; null if no discount applies.
 * `start` is the start of the period in Unix seconds. Prorations are not discounted.
 */
export function applyDiscountToLines<L extends DiscountableLine>(
  { discount }: Pick<Subscription, 'discount'>,
  { id, lines }: { readonly id: string; readonly lines: readonly L[] },
  start: number,
): { readonly discount: Discount | null; readonly lines: readonly L[] } {
  if (discount === null || !isDiscountApplicable(discount, start, id)) return { discount: null, lines }
  const eligible = lines.filter(({ proration }) => !proration)
  const amounts = eligible.map(({ amount }) => amount)
  // An invoice without a positive discountable amount does not use up the discount.
  if (discount.duration === 'once' && addAmounts(...amounts) <= 0) return { discount: null, lines }
  const shares = shareDiscount(amounts, discount)
  const shareOf = new Map(eligible.map((line, at) => [line.id, shares[at] ?? 0]))
  return { discount, lines: lines.map((line) => discountLine(line, shareOf.get(line.id) ?? 0)) }
}

function discountLine<L extends DiscountableLine>(line: L, discount_amount: number): L {
  const discounted = { ...line, discount_amount }
  const { amount_tax, amount_total } = calculateLineTotals(discounted)
  return { ...discounted, tax_amount: amount_tax, total: amount_total }
}

/**
 * Returns the subscription. A discount with the duration `once` is marked as used up if the next invoice has a positive
 * discountable amount. This invoice bills pending items, and the items of the current period unless `isPeriodBilled` is
 * false.
 */
export function markOnceDiscountUsed(
  subscription: Subscription,
  next: {
    readonly invoice: string
    readonly pendingItems: readonly InvoiceItem[]
    readonly isPeriodBilled: boolean
  },
): Subscription {
  const { discount, current_period_start: start } = subscription
  if (discount?.duration !== 'once' || start === null || !isDiscountApplicable(discount, start, null))
    return subscription
  const pending = next.pendingItems.filter(({ proration }) => !proration)
  const items = next.isPeriodBilled ? listBilledItems(subscription).map(toTaxableLine) : []
  const sum = addAmounts(...[...pending, ...items].map(({ amount }) => amount))
  return sum > 0 ? { ...subscription, discount: { ...discount, invoice: next.invoice } } : subscription
}

/**
 * Returns the discount of a subscription after an update redeems a coupon, and the changes of the coupon. Null ends the
 * discount, and undefined changes nothing. Throws when the coupon cannot be redeemed.
 */
export function updateSubscriptionDiscount(
  { discount, currency, status, trial_end, start_date, test_clock }: Subscription,
  redemption: Redemption | null | undefined,
  context: RuleContext,
): { readonly discount: Discount | null; readonly changes: readonly Change[] } {
  if (redemption === undefined) return { discount, changes: [] }
  if (redemption === null) return { discount: null, changes: [] }
  const { now } = context
  const error = findRedemptionError(redemption, { currency, now, param: 'discount[coupon]' })
  if (error !== null) throw error
  const starts = { trialing: trial_end, pending: start_date } as Readonly<Record<string, number | null>>
  const changes = redeemCoupon(redemption, { test_clock }, context)
  return { discount: createDiscount(redemption, starts[status] ?? now), changes }
}

import { startOf } from './cards.ts'
import { signedTaxOn } from './rules.ts'
import type {
  CheckoutOffer,
  Coupon,
  Customer,
  Discount,
  Invoice,
  Item,
  Line,
  Payment,
  PromotionCode,
  Subscription,
} from './state.ts'

/** Returns whether a coupon can be redeemed for an amount in a currency. */
export function isRedeemable(coupon: Coupon, currency: string): boolean {
  const isLeft = coupon.max === null || coupon.uses < coupon.max
  return isLeft && !coupon.isDeleted && (coupon.percent !== null || coupon.currency === currency)
}

/** Returns whether a customer can redeem the discount of an offer; true for an offer without a discount. */
export function isOfferRedeemable(
  { coupon, code, currency }: Pick<CheckoutOffer, 'coupon' | 'code' | 'currency'>,
  customer: Customer,
  past: { readonly subscriptions: readonly Subscription[]; readonly payments: readonly Payment[] },
): boolean {
  if (coupon === null) return true
  if (!isRedeemable(coupon, currency)) return false
  if (code === null) return true
  const isLeft = code.max === null || code.uses < code.max
  const isInTime = code.expires === null || customer.clock.now < code.expires
  const hasBought =
    past.subscriptions.some((one) => one.customer === customer) ||
    past.payments.some((one) => one.customer === customer && one.status === 'succeeded')
  return code.isActive && isLeft && isInTime && !(code.isFirstOnly && hasBought)
}

/** Counts a redemption, and returns a discount that begins at a time in Unix seconds. */
export function redeem(coupon: Coupon, code: PromotionCode | null, start: number): Discount {
  coupon.uses += 1
  if (code !== null) code.uses += 1
  return discountFrom({ coupon, code }, start)
}

/** Returns the start of the discount of a new subscription: the start of the first paid period. */
export function firstDiscountStart({ trial, terms: { rhythm }, index }: Subscription): number {
  return trial?.end ?? startOf(rhythm, Math.max(0, index))
}

function discountFrom({ coupon, code }: Pick<Discount, 'coupon' | 'code'>, start: number): Discount {
  const months = { anchor: start, interval: 'month', count: coupon.months ?? 1 } as const
  return { coupon, code, start, end: coupon.months === null ? null : startOf(months, 1), spentOn: null }
}

/** Moves the discount of a subscription with the end of its trial. */
export function moveDiscount(subscription: Subscription, start: number): void {
  const { discount } = subscription
  if (discount !== null) subscription.discount = discountFrom(discount, start)
}

/** Returns whether no later period has the discount. */
export function isOver({ end, spentOn }: Discount, at: number): boolean {
  return spentOn !== null || (end !== null && end <= at)
}

/** Returns the lines of a new invoice after the discount of its subscription, and whether the discount applies. */
export function applyDiscount(
  discount: Discount | null,
  lines: readonly Line[],
  start: number,
): { readonly lines: readonly Line[]; readonly isApplied: boolean } {
  const none = { lines, isApplied: false }
  if (discount === null || start < discount.start || isOver(discount, start)) return none
  const eligible = lines.filter(({ isProration }) => !isProration)
  const sum = eligible.reduce((total, { amount }) => total + amount, 0)
  if (discount.coupon.isOnce && sum <= 0) return none
  return { lines: discountLines(lines, discount.coupon), isApplied: true }
}

/** Returns lines with their shares: the exact shares rounded down; the missing units go to the largest remainders. */
function discountLines(lines: readonly Line[], coupon: Coupon): Line[] {
  const eligible = lines.filter(({ isProration }) => !isProration)
  const sum = eligible.reduce((total, { amount }) => total + BigInt(amount), 0n)
  if (sum <= 0n) return [...lines]
  const off = discountOf(sum, coupon)
  const shares = new Map(eligible.map((line) => [line, floorDivide(off * BigInt(line.amount), sum)]))
  const remainderOf = (line: Line) => off * BigInt(line.amount) - (shares.get(line) ?? 0n) * sum
  let missing = off - [...shares.values()].reduce((total, share) => total + share, 0n)
  const ranked = [...eligible].sort((a, b) =>
    remainderOf(b) > remainderOf(a) ? 1 : remainderOf(b) < remainderOf(a) ? -1 : 0,
  )
  for (const line of ranked) {
    if (missing === 0n) break
    shares.set(line, (shares.get(line) ?? 0n) + 1n)
    missing -= 1n
  }
  return lines.map((line) => {
    // Pending prorations are found again as the lines of their invoice.
    if (line.isProration) return line
    const discount = Number(shares.get(line) ?? 0n)
    return { ...line, discount, tax: signedTaxOn(line.amount - discount, line.ppm) }
  })
}

function discountOf(sum: bigint, { percent, off }: Coupon): bigint {
  if (percent !== null) return (sum * BigInt(percent) + 5000n) / 10_000n
  return BigInt(off ?? 0) < sum ? BigInt(off ?? 0) : sum
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b
  return a % b < 0n ? quotient - 1n : quotient
}

/** Returns the price of items for the first period, with discount and tax. */
export function discountedPrice(items: readonly Item[], coupon: Coupon | null): number {
  const lines = items.map((item): Line => {
    const { unit, quantity, ppm } = item
    const amount = unit * quantity
    const period = { start: 0, end: 0 }
    return { item, unit, quantity, ppm, amount, tax: signedTaxOn(amount, ppm), isProration: false, ...period }
  })
  const discounted = coupon === null ? lines : discountLines(lines, coupon)
  return discounted.reduce((total, { amount, discount = 0, tax }) => total + amount - discount + tax, 0)
}

/**
 * Returns a function that ends the discount before a period that starts at `at`; null if the discount continues or no
 * period starts.
 */
export function discountEnd(subscription: Subscription, at: number): (() => void) | null {
  const { discount, endsWithPeriod } = subscription
  if (discount === null || endsWithPeriod || !isOver(discount, at)) return null
  return () => {
    subscription.discount = null
  }
}

/** Marks a discount of one invoice as used up. */
export function spend(subscription: Subscription, invoice: Invoice): void {
  const { discount } = subscription
  if (discount?.coupon.isOnce) subscription.discount = { ...discount, spentOn: invoice }
}

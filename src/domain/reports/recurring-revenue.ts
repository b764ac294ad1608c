import type { Subscription } from '../billing/subscriptions.ts'
import { addAmounts, calculateDiscount } from '../core/money.ts'
import * as s from '../core/schema.ts'
import { isDiscountApplicable } from '../sessions/discounts.ts'
import { toTaxableLine } from '../sessions/item-amounts.ts'
import type { CalendarUnit } from '../time/periods.ts'
import { addToSum, type CountedSum, sortByCurrency } from './sums.ts'

/** The schema of the monthly recurring revenue in one currency. */
export const recurringRevenueSchema = s.object(
  {
    currency: s.currencyCode('The currency of the amount.'),
    amount: s.amount(
      'The price of one month of all subscriptions that are `active` or `past_due`, including ongoing discounts, excluding tax and credit. Other billing periods are converted with 12 months, 52 weeks or 365 days per year, and rounded half up once per subscription.',
    ),
    subscriptions: s.integer(1, 'The number of subscriptions that are `active` or `past_due`.'),
  },
  'The monthly recurring revenue in one currency.',
)

/** The number of billing periods of one interval in a year. */
const PERIODS_PER_YEAR: Readonly<Record<CalendarUnit, bigint>> = {
  day: 365n,
  week: 52n,
  month: 12n,
  year: 1n,
}
const MONTHS_PER_YEAR = 12n

type BilledSubscription = Pick<
  Subscription,
  'interval' | 'interval_count' | 'items' | 'current_period_start' | 'discount'
>

/**
 * Returns the price of one month of a subscription in minor units, without tax, rounded half up. The price includes the
 * discount of the current period, unless the discount is for only one invoice.
 */
export function getMonthlyRevenue(subscription: BilledSubscription): number {
  const { interval, interval_count, items, current_period_start: start, discount } = subscription
  const price = addAmounts(...items.map((item) => toTaxableLine(item).amount))
  const isRecurring =
    discount !== null && discount.duration !== 'once' && isDiscountApplicable(discount, start ?? 0, null)
  const perPeriod = BigInt(price - (isRecurring ? calculateDiscount(price, discount) : 0))
  const yearly = perPeriod * PERIODS_PER_YEAR[interval]
  const divisor = MONTHS_PER_YEAR * BigInt(interval_count)
  return Number((2n * yearly + divisor) / (2n * divisor))
}

// Trials and paused subscriptions do not count as recurring revenue.
function hasRecurringRevenue({ status }: Pick<Subscription, 'status'>): boolean {
  return status === 'active' || status === 'past_due'
}

/** The monthly recurring revenue by currency. */
export type RevenueByCurrency = Map<string, CountedSum>

/** The price of one month of a subscription in minor units; null if the subscription does not count. */
export interface MonthlyRevenue {
  readonly currency: string
  readonly amount: number | null
}

/** Returns the recurring revenue of a subscription. */
export function getRecurringRevenue(subscription: Subscription): MonthlyRevenue {
  const amount = hasRecurringRevenue(subscription) ? getMonthlyRevenue(subscription) : null
  return { currency: subscription.currency, amount }
}

/** Adds the recurring revenue of a subscription. */
export function addRevenue(revenue: RevenueByCurrency, { currency, amount }: MonthlyRevenue): void {
  if (amount === null) return
  const before = revenue.get(currency) ?? { count: 0, amount: 0 }
  revenue.set(currency, addToSum(before, amount))
}

/** Returns the recurring revenue as in the API, sorted by currency. */
export function toRecurringRevenue(revenue: RevenueByCurrency): s.ValueOf<typeof recurringRevenueSchema>[] {
  return sortByCurrency(
    Array.from(revenue, ([currency, { count, amount }]) => ({ currency, amount, subscriptions: count })),
  )
}

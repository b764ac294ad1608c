import { formatAmount } from '../../../domain/core/currencies.ts'
import type { AxisEvent } from './axis-events.ts'
import { moneyOf } from './event-headlines.ts'

/** Returns the totals of succeeded and failed payments as texts, such as `2 payments succeeded: 24.00 EUR`. */
export function paymentTotals(events: readonly AxisEvent[]): string[] {
  return ['succeeded', 'failed'].flatMap((outcome) => {
    const own = events.filter(({ type }) => type === `payment.${outcome}`)
    if (own.length === 0) return []
    return `${own.length} payment${own.length === 1 ? '' : 's'} ${outcome}: ${sumsOf(own).join(', ')}`
  })
}

function sumsOf(events: readonly AxisEvent[]): string[] {
  const sums = new Map<string, number>()
  for (const event of events) {
    const money = moneyOf(event)
    if (money !== null) sums.set(money.currency, (sums.get(money.currency) ?? 0) + money.amount)
  }
  return [...sums].map(([currency, amount]) => formatAmount(amount, currency))
}

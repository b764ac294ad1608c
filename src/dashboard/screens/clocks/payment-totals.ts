import { formatAmount } from '../../../domain/core/currencies.ts'
import { formatCountWithNoun } from '../../../presentation/words.ts'
import { type AxisEvent, integerField, textField } from './axis-events.ts'

/** Returns the totals of succeeded and failed payments as texts, such as `2 payments succeeded: 24.00 EUR`. */
export function paymentTotals(events: readonly AxisEvent[]): string[] {
  return ['succeeded', 'failed'].flatMap((outcome) => {
    const own = events.filter(({ type }) => type === `payment.${outcome}`)
    if (own.length === 0) return []
    return `${formatCountWithNoun(own.length, 'payment')} ${outcome}: ${sumsOf(own).join(', ')}`
  })
}

function sumsOf(events: readonly AxisEvent[]): string[] {
  const sums = new Map<string, number>()
  for (const { object } of events) {
    const currency = textField(object, 'currency') ?? ''
    sums.set(currency, (sums.get(currency) ?? 0) + (integerField(object, 'amount') ?? 0))
  }
  return [...sums].map(([currency, amount]) => formatAmount(amount, currency))
}

import { formatAmount } from '../../domain/core/currencies.ts'
import { formatDistance, formatTime } from '../format/format-time.ts'

/** An amount in minor units. */
export function Amount({ amount, currency }: { readonly amount: number; readonly currency: string }) {
  return <span class="amount">{formatAmount(amount, currency)}</span>
}

interface TimeProps {
  /** Unix seconds. */
  readonly at: number
  /** Unix seconds with which the time is compared: real time or that of a test clock (default: no comparison). */
  readonly now?: number
}

/** A time in UTC, with its distance from now. */
export function Time({ at, now }: TimeProps) {
  const distance = now === undefined ? null : formatDistance(at, now)
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title="UTC">
      {formatTime(at)}
      {distance !== null && <span class="quiet"> {distance}</span>}
    </time>
  )
}

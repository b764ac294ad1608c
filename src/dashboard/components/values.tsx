import { formatAmount } from '../../domain/core/currencies.ts'
import { formatDistance, formatTime } from '../format/format-time.ts'

/** Shows an amount, given in minor units, with its currency. */
export function Amount({ amount, currency }: { readonly amount: number; readonly currency: string }) {
  return <span class="amount">{formatAmount(amount, currency)}</span>
}

interface TimeProps {
  /** Unix seconds. */
  readonly at: number
  /** Unix seconds with which the time is compared: real time or that of a test clock (default: no comparison). */
  readonly now?: number | undefined
}

/** Shows a time in UTC, with its distance from `now` if it is given. */
export function UtcTime({ at, now }: TimeProps) {
  const distance = now === undefined ? null : formatDistance(at, now)
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title="UTC">
      {formatTime(at)}
      {distance !== null && <span class="quiet"> {distance}</span>}
    </time>
  )
}

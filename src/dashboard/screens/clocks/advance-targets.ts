import { type Interval, periodStart } from '../../../domain/time/periods.ts'
import { integerField, type ObjectFields, textField } from './axis-events.ts'
import { DAY } from './time-scale.ts'

/** The furthest advance that the API accepts. */
const MAX_YEARS = 10

/** Returns the latest time to which a clock at `now` can be advanced, in Unix seconds. */
export function latestTarget(now: number): number {
  return addInterval(now, 'year', MAX_YEARS)
}

/** Returns a time after a number of calendar units; a month after 31 January is the last day of February. */
export function addInterval(at: number, interval: Interval, count: number): number {
  return periodStart({ anchor: at, interval, interval_count: count }, 1)
}

/** The length of a billing period, such as 2 weeks. */
export interface BillingPeriod {
  readonly interval: Interval
  readonly count: number
}

const INTERVALS: readonly Interval[] = ['day', 'week', 'month', 'year']

/** Returns the period of the live subscription whose period ends first; null without one. */
export function nextEndingPeriod(subscriptions: Iterable<ObjectFields>): BillingPeriod | null {
  const [first] = [...subscriptions]
    .filter(({ status }) => status !== 'canceled')
    .toSorted((a, b) => endOf(a) - endOf(b))
  const interval = INTERVALS.find((one) => one === first?.['interval'])
  if (first === undefined || interval === undefined) return null
  return { interval, count: integerField(first, 'interval_count') ?? 1 }
}

function endOf(subscription: ObjectFields): number {
  return integerField(subscription, 'current_period_end') ?? Number.MAX_SAFE_INTEGER
}

/** Returns the name of a period, such as `1 month` or `2 weeks`. */
export function periodName({ interval, count }: BillingPeriod): string {
  return `${count} ${interval}${count === 1 ? '' : 's'}`
}

/** Returns a date such as `2026-03-01` at the time of day of `now`, in Unix seconds; null unless it is a later day. */
export function targetOnDate(date: string, now: number): number | null {
  const midnight = Date.parse(`${date}T00:00:00Z`) / 1000
  if (!Number.isFinite(midnight)) return null
  const target = midnight + (now % DAY)
  return target > now ? target : null
}

/** The step of each key of the slider. */
const KEY_STEPS: Readonly<Record<string, (at: number) => number>> = {
  ArrowRight: (at) => at + DAY,
  ArrowUp: (at) => at + DAY,
  ArrowLeft: (at) => at - DAY,
  ArrowDown: (at) => at - DAY,
  PageUp: (at) => addInterval(at, 'month', 1),
  PageDown: (at) => addInterval(at, 'month', -1),
}

/**
 * Returns the target of the slider after a key: `target` from `now` to `latestTarget(now)`, and whether the key would have
 * moved it into the past. Null for other keys.
 */
export function targetAfterKey(
  key: string,
  { now, target }: { readonly now: number; readonly target: number },
): { readonly target: number; readonly isBack: boolean } | null {
  if (key === 'Home') return { target: now, isBack: false }
  if (key === 'End') return { target: latestTarget(now), isBack: false }
  const wanted = KEY_STEPS[key]?.(target)
  if (wanted === undefined) return null
  const isBack = wanted < now && target === now
  return { target: Math.min(Math.max(wanted, now), latestTarget(now)), isBack }
}

/** Returns the name of an object for labels: its description or name, else its id. */
export function objectName(object: ObjectFields): string {
  return textField(object, 'description') ?? textField(object, 'name') ?? textField(object, 'id') ?? ''
}

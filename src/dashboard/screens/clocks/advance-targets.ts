import type { JsonObject } from '../../../domain/core/json-object.ts'
import type { CalendarDuration } from '../../../domain/time/clock-steps.ts'
import { findIntegerField } from './axis-events.ts'
import { addDuration, DAY_SECONDS } from './time-scale.ts'

/** The time that the user selects on a clock, and the functions that change it. Times are in Unix seconds. */
export interface AdvanceTargetControl {
  /** The current time of the clock. */
  readonly now: number
  /** The selected time, or the target of a running advance; `now` if there is neither. */
  readonly target: number
  /** The time that a running advance has reached; null without a running advance. */
  readonly reached: number | null
  readonly isDisabled: boolean
  readonly onTarget: (target: number) => void
  readonly onAdvance: (target: number, step?: CalendarDuration) => void
  /** Called when the user tries to move the clock back. */
  readonly onBack: () => void
}

/** Returns the latest time to which a clock at `now` can be advanced: the API limits an advance to ten years. */
export function getLatestTarget(now: number): number {
  return addDuration(now, { interval: 'year', count: 10 })
}

const INTERVALS = ['day', 'week', 'month', 'year'] as const

/**
 * Returns the billing period of the subscription whose current period ends first, without canceled subscriptions; null
 * without such a subscription.
 */
export function findFirstEndingPeriod(subscriptions: Iterable<JsonObject>): CalendarDuration | null {
  const [first = {}] = [...subscriptions]
    .filter(({ status }) => status !== 'canceled')
    .toSorted((a, b) => endOf(a) - endOf(b))
  const interval = INTERVALS.find((one) => one === first['interval'])
  return interval === undefined ? null : { interval, count: findIntegerField(first, 'interval_count') ?? 1 }
}

function endOf(subscription: JsonObject): number {
  return findIntegerField(subscription, 'current_period_end') ?? Number.MAX_SAFE_INTEGER
}

/**
 * Returns the time in Unix seconds on a date such as `2026-03-01`, at the time of day of `now`; null unless it is after
 * `now`.
 */
export function findTargetOnDate(date: string, now: number): number | null {
  const target = Date.parse(`${date}T00:00:00Z`) / 1000 + (now % DAY_SECONDS)
  return target > now ? target : null
}

/** The step of each key of the slider: days, or months for the `Page` keys. */
const KEY_STEPS: Readonly<Record<string, number>> = {
  ...{ ArrowRight: 1, ArrowUp: 1, PageUp: 1 },
  ...{ ArrowLeft: -1, ArrowDown: -1, PageDown: -1 },
}

/**
 * Returns the target after a key press on the slider, from `now` to `getLatestTarget(now)`, and whether the key would move
 * the target before `now`. Returns null for other keys.
 */
export function findTargetAfterKey(
  key: string,
  { now, target }: Pick<AdvanceTargetControl, 'now' | 'target'>,
): { readonly target: number; readonly isBack: boolean } | null {
  if (key === 'Home') return { target: now, isBack: false }
  if (key === 'End') return { target: getLatestTarget(now), isBack: false }
  const count = KEY_STEPS[key]
  if (count === undefined) return null
  const wanted = addDuration(target, { interval: key.startsWith('Page') ? 'month' : 'day', count })
  const isBack = wanted < now && target === now
  return { target: Math.min(Math.max(wanted, now), getLatestTarget(now)), isBack }
}

import { type CalendarUnit, getPeriodIndex, getPeriodStart } from './periods.ts'

/** The time of a clock, and the time at which its steps in months or years began. */
export interface SteppedClock {
  readonly frozen_time: number
  /** The start of the steps in months or years, in Unix seconds; null after any other step. */
  readonly month_steps_start: number | null
}

/** A duration in whole calendar units. */
export interface CalendarDuration {
  readonly interval: CalendarUnit | 'hour'
  readonly count: number
}

const SECONDS_PER_HOUR = 3600
const MONTHS: ReadonlyMap<string, number> = new Map([
  ['month', 1],
  ['year', 12],
])

/**
 * Returns the time of a clock after a step, in Unix seconds. Steps in months and years use the day of the month on
 * which the first step began, so that many short steps end at the same time as one long step.
 */
export function getTimeAfterStep(clock: SteppedClock, { interval, count }: CalendarDuration): number {
  const { frozen_time } = clock
  if (interval === 'hour') return frozen_time + count * SECONDS_PER_HOUR
  const months = MONTHS.get(interval)
  if (months === undefined) return getPeriodStart({ anchor: frozen_time, interval, interval_count: count }, 1)
  const monthly = {
    anchor: clock.month_steps_start ?? frozen_time,
    interval: 'month',
    interval_count: 1,
  } as const
  return getPeriodStart(monthly, getPeriodIndex(monthly, frozen_time) + count * months)
}

/** Returns `month_steps_start` of a clock after a step, in Unix seconds; null unless the step is in months or years. */
export function findMonthStepsStart(clock: SteppedClock, step: CalendarDuration): number | null {
  return MONTHS.has(step.interval) ? (clock.month_steps_start ?? clock.frozen_time) : null
}

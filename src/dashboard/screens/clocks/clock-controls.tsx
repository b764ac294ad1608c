import { type CalendarDuration, type SteppedClock, timeAfterStep } from '../../../domain/time/clock-steps.ts'
import { formatDate, formatTime } from '../../format/format-time.ts'
import { type BillingPeriod, latestTarget, periodName, targetOnDate } from './advance-targets.ts'

export interface ClockControlsProps {
  readonly clock: SteppedClock
  readonly target: number
  readonly period: BillingPeriod | null
  /** The time of the first projected event; null without one. */
  readonly nextEvent: number | null
  readonly isDisabled: boolean
  readonly onTarget: (target: number) => void
  readonly onAdvance: (target: number, step?: CalendarDuration) => void
}

/** Shows the buttons that advance the clock, and the field for a date. */
export function ClockControls(props: ClockControlsProps) {
  const { clock, period, nextEvent, isDisabled, onAdvance } = props
  const month: BillingPeriod = { interval: 'month', count: 1 }
  const step = period ?? month
  const advanceBy = (by: CalendarDuration) => onAdvance(timeAfterStep(clock, by), by)
  return (
    <div class="row spread">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a flex box in all browsers. */}
      <div class="row" role="group" aria-label="Advance by">
        <button
          type="button"
          aria-disabled={isDisabled}
          onClick={() => advanceBy({ interval: 'day', count: 1 })}
        >
          +1 day
        </button>
        <button
          type="button"
          aria-disabled={isDisabled}
          title={
            period === null
              ? 'No subscription has a period, so this is a calendar month'
              : `The billing period: ${periodName(step)}`
          }
          onClick={() => advanceBy(step)}
        >
          {period === null ? '+1 month' : `+1 period (${periodName(step)})`}
        </button>
        <button
          type="button"
          aria-disabled={isDisabled || nextEvent === null}
          onClick={() => nextEvent !== null && onAdvance(nextEvent)}
        >
          Next event{nextEvent !== null && `: ${formatDate(nextEvent)}`}
        </button>
      </div>
      <DateForm {...props} />
    </div>
  )
}

function DateForm({
  clock: { frozen_time: now },
  target,
  isDisabled,
  onTarget,
  onAdvance,
}: ClockControlsProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (target > now) onAdvance(target)
  }
  const changeDate = (date: string) => onTarget(targetOnDate(date, now) ?? now)
  return (
    <form class="row" onSubmit={submit}>
      <label class="row">
        <span class="quiet">Date</span>
        <input
          type="date"
          value={formatDate(target)}
          min={formatDate(now)}
          max={formatDate(latestTarget(now))}
          disabled={isDisabled}
          onInput={(event) => changeDate(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary" aria-disabled={isDisabled || target <= now}>
        {target > now ? `Advance to ${formatTime(target)}` : 'Advance'}
      </button>
    </form>
  )
}

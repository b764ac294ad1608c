import { type CalendarDuration, type SteppedClock, timeAfterStep } from '../../../domain/time/clock-steps.ts'
import { formatCountWithNoun } from '../../../presentation/words.ts'
import { formatDate, formatTime } from '../../format/format-time.ts'
import { type ClockControl, latestTarget, targetOnDate } from './advance-targets.ts'

interface ClockControlsProps extends ClockControl {
  readonly clock: SteppedClock
  /** The billing period of the subscription that renews first; null without a subscription. */
  readonly period: CalendarDuration | null
  /** The time of the first projected event; null without a projected event. */
  readonly nextEvent: number | null
}

/** Shows the buttons that advance the clock, and the field for a date. */
export function ClockControls(props: ClockControlsProps) {
  const { clock, period, nextEvent, isDisabled, onAdvance } = props
  const step = period ?? ({ interval: 'month', count: 1 } as const)
  const advanceBy = (by: CalendarDuration) => onAdvance(timeAfterStep(clock, by), by)
  const buttons = [
    { text: '+1 day', advance: () => advanceBy({ interval: 'day', count: 1 }) },
    {
      text: period === null ? '+1 month' : `+1 period (${formatCountWithNoun(step.count, step.interval)})`,
      advance: () => advanceBy(step),
    },
    {
      text: `Next event${nextEvent === null ? '' : `: ${formatDate(nextEvent)}`}`,
      advance: nextEvent === null ? null : () => onAdvance(nextEvent),
    },
  ]
  return (
    <div class="row spread">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a flex box in all browsers. */}
      <div class="row" role="group" aria-label="Advance by">
        {buttons.map(({ text, advance }) => (
          <button
            key={text}
            type="button"
            aria-disabled={isDisabled || advance === null}
            onClick={() => advance?.()}
          >
            {text}
          </button>
        ))}
      </div>
      <DateForm {...props} />
    </div>
  )
}

function DateForm({ now, target, isDisabled, onTarget, onAdvance }: ClockControl) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (target > now) onAdvance(target)
  }
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
          onInput={(event) => onTarget(targetOnDate(event.currentTarget.value, now) ?? now)}
        />
      </label>
      <button type="submit" class="primary" aria-disabled={isDisabled || target <= now}>
        {target > now ? `Advance to ${formatTime(target)}` : 'Advance'}
      </button>
    </form>
  )
}

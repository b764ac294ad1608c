import {
  type CalendarDuration,
  getTimeAfterStep,
  type SteppedClock,
} from '../../../domain/time/clock-steps.ts'
import { getEventTypeOutcome } from '../../../presentation/event-outcomes.ts'
import { formatCountWithNoun } from '../../../presentation/words.ts'
import { formatDate, formatDateTime } from '../../format/format-time.ts'
import { type AdvanceTargetControl, findTargetOnDate, getLatestTarget } from './advance-targets.ts'
import type { AxisEvent } from './axis-events.ts'

/** The functions and the state of automatic play, which advances the clock by one day each second. */
export interface ClockPlayer {
  readonly isPlaying: boolean
  readonly start: () => void
  readonly stop: () => void
}

interface ClockControlsProps extends AdvanceTargetControl {
  readonly clock: SteppedClock
  /** The billing period of the subscription whose period ends first; null without a subscription. */
  readonly period: CalendarDuration | null
  /** The projected events, the earliest first. */
  readonly projected: readonly AxisEvent[]
  readonly player: ClockPlayer
}

/** Shows the buttons that advance the clock, and the field for a date. */
export function ClockControls(props: ClockControlsProps) {
  const { clock, period, projected, isDisabled, player, onAdvance } = props
  const step = period ?? ({ interval: 'month', count: 1 } as const)
  const advanceBy = (by: CalendarDuration) => onAdvance(getTimeAfterStep(clock, by), by)
  const advanceTo = (text: string, event: AxisEvent | undefined) => ({
    text: event === undefined ? text : `${text}: ${formatDate(event.created)}`,
    advance: event === undefined ? null : () => onAdvance(event.created),
  })
  const buttons = [
    { text: '+1 day', advance: () => advanceBy({ interval: 'day', count: 1 }) },
    {
      text: period === null ? '+1 month' : `+1 period (${formatCountWithNoun(step.count, step.interval)})`,
      advance: () => advanceBy(step),
    },
    advanceTo('Next event', projected[0]),
    advanceTo(
      'Next failure',
      projected.find(({ type }) => getEventTypeOutcome(type) === 'bad'),
    ),
  ]
  return (
    <div class="row spread">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a flex box in all browsers. */}
      <div class="row" role="group" aria-label="Advance by">
        <button
          type="button"
          aria-pressed={player.isPlaying}
          onClick={player.isPlaying ? player.stop : player.start}
        >
          {player.isPlaying ? 'Stop' : 'Play: a day per second'}
        </button>
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

function DateForm({ now, target, isDisabled, onTarget, onAdvance }: AdvanceTargetControl) {
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
          max={formatDate(getLatestTarget(now))}
          disabled={isDisabled}
          onInput={(event) => onTarget(findTargetOnDate(event.currentTarget.value, now) ?? now)}
        />
      </label>
      <button type="submit" class="primary" aria-disabled={isDisabled || target <= now}>
        {target > now ? `Advance to ${formatDateTime(target)}` : 'Advance'}
      </button>
    </form>
  )
}

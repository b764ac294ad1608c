import { DayList, DayListRow } from '../../components/day-list.tsx'
import { ObjectLink } from '../../components/values.tsx'
import type { UpcomingStep } from './upcoming-steps.ts'

interface StepListProps {
  readonly steps: readonly UpcomingStep[]
  /** The current time in Unix seconds. */
  readonly now: number | undefined
  /** The number of steps that are shown at first. */
  readonly pageSize: number
}

/** Lists projected events by day. If there are several subscriptions, each step has a link to its subscription. */
export function UpcomingStepList({ steps, now, pageSize }: StepListProps) {
  const isNamed = new Set(steps.map(({ subscription }) => subscription)).size > 1
  return (
    <DayList
      items={steps}
      timeOf={({ at }) => at}
      now={now}
      pageSize={pageSize}
      render={({ key, subscription, words, detail, events, ...step }) => (
        <DayListRow key={key} {...step}>
          <strong>{words}</strong>
          {detail !== '' && `, ${detail}`}{' '}
          {isNamed && subscription !== null && <ObjectLink id={subscription} />}
          <div class="quiet small">{events.map(({ type }) => type).join(' · ')}</div>
        </DayListRow>
      )}
    />
  )
}

import type { Projection } from '../../../domain/reports/projections.ts'
import { LoadNote, Panel } from '../../components/placeholders.tsx'
import { get } from '../../data/api-client.ts'
import type { ApiObject, RelatedGroup } from '../../data/history-scope.ts'
import { useLoad } from '../../data/use-load.ts'
import type { ObjectDetailsProps } from '../../data/use-object-details.ts'
import { getScreenUrl } from '../../routing/router.ts'
import { ActionButtons } from './action-buttons.tsx'
import { createAdvanceAction } from './object-actions.ts'
import { UpcomingStepList } from './step-list.tsx'
import { toUpcomingSteps } from './upcoming-steps.ts'

/** Maximum number of subscriptions of a customer whose upcoming events are shown. */
const MAX_SUBSCRIPTIONS = 5
/** Maximum number of steps that are shown at first, and of buttons that advance the test clock to a step. */
const MAX_STEPS = 3
/** The number of projected events that are read for a subscription. */
const MAX_EVENTS = 60

/** Lists the upcoming events of a subscription, or of the subscriptions of a customer. */
export function UpcomingEvents({ object, details: { related, now: time, reload } }: ObjectDetailsProps) {
  const subscriptions = liveSubscriptions(object, related)
  const clock = typeof object['test_clock'] === 'string' ? object['test_clock'] : null
  const { data: projections, error } = useLoad(
    subscriptions && `projections ${subscriptions}`,
    (signal) =>
      Promise.all(
        (subscriptions ?? []).map((subscription) =>
          get<Projection>('/v1/projections', { subscription, limit: MAX_EVENTS }, signal),
        ),
      ),
    // In real time, `now` changes with each render, so it must not cause a new read.
    { after: [object, clock === null ? null : time] },
  )
  const steps = (projections ?? []).flatMap(toUpcomingSteps).sort((a, b) => a.at - b.at)
  return (
    <Panel title="Upcoming events">
      {clock !== null && (
        <>
          <a href={getScreenUrl(['clocks', clock])}>Move time in the clock lab</a>
          <ActionButtons
            object={{ id: clock, object: 'test_clock', frozen_time: time }}
            actions={[...new Set(steps.map(({ at }) => at))].slice(0, MAX_STEPS).map(createAdvanceAction)}
            onDone={reload}
          />
        </>
      )}
      <LoadNote data={projections} error={error} />
      {projections !== null && steps.length === 0 && (
        <p class="quiet">No upcoming events: no live subscription has a next period or charge.</p>
      )}
      <UpcomingStepList steps={steps} now={projections?.[0]?.from} pageSize={MAX_STEPS} />
      {steps.length > 0 && (
        <p class="quiet">A request can still change these events. The list contains no simulated faults.</p>
      )}
    </Panel>
  )
}

/** Returns the ids of the subscriptions that are not canceled; null until they are read. */
function liveSubscriptions(
  object: ApiObject,
  related: readonly RelatedGroup[] | null,
): readonly string[] | null {
  if (object.object === 'subscription') return object['status'] === 'canceled' ? [] : [object.id]
  if (related === null) return null
  return related
    .flatMap(({ objects }) => objects)
    .filter((one) => one.object === 'subscription' && one['status'] !== 'canceled')
    .slice(0, MAX_SUBSCRIPTIONS)
    .map(({ id }) => id)
}

import type { Event } from '../../../domain/events/events.ts'
import { getEventTypeOutcome } from '../../../presentation/event-outcomes.ts'
import { formatCountWithNoun } from '../../../presentation/words.ts'
import { DayList, DayListRow } from '../../components/day-list.tsx'
import { EventDeliveries } from '../../components/delivery-result.tsx'
import { EventLine } from '../../components/event-line.tsx'
import { DifferenceList } from '../../components/fact-list.tsx'
import { LoadNote, Panel } from '../../components/placeholders.tsx'
import { ObjectLink } from '../../components/values.tsx'
import { type DeliveryState, isFailing } from '../../data/delivery-states.ts'
import type { ObjectHistory } from '../../data/use-object-details.ts'
import { listEventDifferences } from '../../format/differences.ts'
import { formatObjectHeadline } from '../../format/object-headline.ts'

interface TimelineProps {
  readonly history: ObjectHistory | null
  readonly now: number | undefined
  /** The id of the object that the screen shows; events of this object have no link to it. */
  readonly id: string
}

const PAGE_SIZE = 60
/** Maximum number of events with failed deliveries above the other events. */
const MAX_FAILED = 5

/** Shows the events of an object and of its related objects, newest first, each with its changed fields. */
export function Timeline({ history, now, id }: TimelineProps) {
  return (
    <Panel title="How it got here">
      <LoadNote data={history} />
      {history?.events.length === 0 && <p class="quiet">No event of it is stored.</p>}
      {history !== null && <FailedDeliveries history={history} />}
      <DayList
        items={history?.events ?? []}
        timeOf={({ created }) => created}
        now={now}
        pageSize={PAGE_SIZE}
        render={(event) => (
          <TimelineEntry
            key={event.id}
            event={event}
            deliveries={history?.deliveries.get(event.id)}
            isOwn={event.data.object.id === id}
          />
        )}
      />
      {history?.isCut && (
        <p class="quiet">
          Older events, and events of older related objects, are on the screens of those objects.
        </p>
      )}
    </Panel>
  )
}

/** Shows the events that an endpoint has not received, because its newest response is an error. */
function FailedDeliveries({ history: { events, deliveries } }: { readonly history: ObjectHistory }) {
  const failed = events.flatMap((event) => {
    const states = deliveries.get(event.id)?.filter(isFailing) ?? []
    return states.length === 0 ? [] : { event, states }
  })
  if (failed.length === 0) return null
  return (
    <section class="note stack tight" aria-label="Failed deliveries">
      <h3>{formatCountWithNoun(failed.length, 'event')} with failed deliveries</h3>
      {failed.slice(0, MAX_FAILED).map(({ event: { id, type, data }, states }) => (
        <div key={id}>
          <EventLine id={id} type={type} object={data.object} />
          <EventDeliveries states={states} />
        </div>
      ))}
    </section>
  )
}

interface TimelineEntryProps {
  readonly event: Event
  readonly deliveries: readonly DeliveryState[] | undefined
  readonly isOwn: boolean
}

function TimelineEntry({ event, deliveries, isOwn }: TimelineEntryProps) {
  const { id, type, created, data, request } = event
  const headline = formatObjectHeadline(data.object)
  return (
    <DayListRow at={created} outcome={getEventTypeOutcome(type)}>
      <div class="row">
        <ObjectLink id={id}>
          <strong>{type}</strong>
        </ObjectLink>
        {headline !== '' && <bdi class="clip">{headline}</bdi>}
      </div>
      <DifferenceList differences={listEventDifferences(event)} />
      {deliveries !== undefined && <EventDeliveries states={deliveries} />}
      <div class="row small">
        {!isOwn && <ObjectLink id={data.object.id} />}
        <span class="quiet">
          by {request === null ? 'time or a hosted page' : <ObjectLink id={request.id} />}
        </span>
      </div>
    </DayListRow>
  )
}

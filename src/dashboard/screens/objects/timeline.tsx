import type { ComponentChildren } from 'preact'
import type { Event } from '../../../domain/events/events.ts'
import { getEventTypeOutcome } from '../../../presentation/event-outcomes.ts'
import { formatCountWithNoun } from '../../../presentation/words.ts'
import { DayList, DayListRow } from '../../components/day-list.tsx'
import { EventDeliveries } from '../../components/delivery-result.tsx'
import { EventLine } from '../../components/event-line.tsx'
import { DifferenceList } from '../../components/fact-list.tsx'
import { LoadNote, Panel } from '../../components/placeholders.tsx'
import { ObjectLink } from '../../components/values.tsx'
import { isFailing } from '../../data/delivery-states.ts'
import type { ObjectDetailsProps } from '../../data/use-object-details.ts'
import { listEventDifferences } from '../../format/differences.ts'
import { formatObjectHeadline } from '../../format/object-headline.ts'

const PAGE_SIZE = 60
/** Maximum number of events with failed deliveries above the other events. */
const MAX_FAILED = 5

/** Shows the events of an object and of its related objects, newest first, each with its changed fields. */
export function ObjectTimeline({ object, details: { history, now, omissionOf } }: ObjectDetailsProps) {
  const { events = [], deliveries, isCut } = history ?? {}
  const unused = events.filter(
    (event) => deliveries?.get(event.id)?.length === 0 && omissionOf(event.type) === 'unused',
  )
  const objects = new Set(unused.map(({ type }) => `${type.split('.')[0]}.*`))
  return (
    <Panel title="History">
      <LoadNote data={history} />
      {history?.events.length === 0 && <p class="quiet">No event of the object is stored.</p>}
      <DayList
        items={events}
        timeOf={({ created }) => created}
        now={now}
        pageSize={PAGE_SIZE}
        render={(event) => (
          <TimelineEntry key={event.id} event={event} isOwn={event.data.object.id === object.id}>
            <EventDeliveries states={deliveries?.get(event.id)} omission={omissionOf(event.type)} />
          </TimelineEntry>
        )}
      />
      {unused.length > 0 && <p class="quiet">No enabled endpoint receives {[...objects].join(', ')}.</p>}
      {isCut && (
        <p class="quiet">
          Older events, and events of older related objects, are on the screens of those objects.
        </p>
      )}
    </Panel>
  )
}

/** Shows the events that an endpoint rejected last, then the newest event of each type that endpoints leave out. */
export function DeliveryProblems({ details: { history, omissionOf } }: Pick<ObjectDetailsProps, 'details'>) {
  const { events = [], deliveries } = history ?? {}
  const results = events.map((event) => {
    const states = deliveries?.get(event.id)
    const omission = states?.length === 0 ? omissionOf(event.type) : null
    return { event, states: states?.filter(isFailing) ?? [], omission }
  })
  const failed = results.filter(({ states }) => states.length > 0)
  const missing = results.filter(({ omission }) => omission === 'forgotten')
  const count = failed.length + missing.length
  if (count === 0) return null
  const newestOfType = new Map(missing.toReversed().map((result) => [result.event.type, result])).values()
  return (
    <Panel
      title={`${formatCountWithNoun(count, 'event')} with failed or missing deliveries`}
      label="Failed deliveries"
    >
      {[...failed.slice(0, MAX_FAILED), ...newestOfType].map(({ event: { id, type, data }, ...result }) => (
        <div key={id}>
          <EventLine id={id} type={type} object={data.object} />
          <EventDeliveries {...result} />
        </div>
      ))}
    </Panel>
  )
}

interface TimelineEntryProps {
  readonly event: Event
  /** Whether the screen shows the object of the event; then the entry has no link to it. */
  readonly isOwn: boolean
  /** The deliveries of the event. */
  readonly children: ComponentChildren
}

function TimelineEntry({ event, isOwn, children }: TimelineEntryProps) {
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
      <div class="row small">
        {children}
        {!isOwn && <ObjectLink id={data.object.id} />}
        <span class="quiet">
          by {request === null ? 'time or a hosted page' : <ObjectLink id={request.id} />}
        </span>
      </div>
    </DayListRow>
  )
}

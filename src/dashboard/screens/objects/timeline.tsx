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
/** Maximum number of events with failed or missing deliveries above the other events. */
const MAX_FAILED = 5

/** Shows the events of an object and of its related objects, newest first, each with its changed fields. */
export function Timeline({ object, story: { history, now, receptionOf } }: ObjectDetailsProps) {
  const { events = [], deliveries, isCut } = history ?? {}
  const unused = events.filter(
    (event) => deliveries?.get(event.id)?.length === 0 && receptionOf(event.type) === 'unused',
  )
  const objects = new Set(unused.map(({ type }) => `${type.split('.')[0]}.*`))
  return (
    <Panel title="How it got here">
      <LoadNote data={history} />
      {history?.events.length === 0 && <p class="quiet">No event of it is stored.</p>}
      <DayList
        items={events}
        timeOf={({ created }) => created}
        now={now}
        pageSize={PAGE_SIZE}
        render={(event) => (
          <TimelineEntry key={event.id} event={event} isOwn={event.data.object.id === object.id}>
            <EventDeliveries states={deliveries?.get(event.id)} reception={receptionOf(event.type)} />
          </TimelineEntry>
        )}
      />
      {unused.length > 0 && <p class="quiet">No endpoint receives {[...objects].join(', ')}.</p>}
      {isCut && (
        <p class="quiet">
          Older events, and events of older related objects, are on the screens of those objects.
        </p>
      )}
    </Panel>
  )
}

/**
 * Shows the events that an endpoint has not received: its newest response is an error, or no endpoint receives the type
 * of the event.
 */
export function FailedDeliveries({ story: { history, receptionOf } }: Pick<ObjectDetailsProps, 'story'>) {
  const failed = (history?.events ?? []).flatMap((event) => {
    const states = history?.deliveries.get(event.id)
    const failing = states?.filter(isFailing) ?? []
    const reception = receptionOf(event.type)
    const isForgotten = states?.length === 0 && reception === 'forgotten'
    return failing.length > 0 || isForgotten ? { event, states: failing, reception } : []
  })
  if (failed.length === 0) return null
  return (
    <Panel
      title={`${formatCountWithNoun(failed.length, 'event')} with failed or missing deliveries`}
      label="Failed deliveries"
    >
      {failed.slice(0, MAX_FAILED).map(({ event: { id, type, data }, ...result }) => (
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

import type { Event } from '../../../domain/events/events.ts'
import { eventTypeOutcomeOf } from '../../../presentation/event-outcomes.ts'
import { DayList, DayListItem } from '../../components/day-list.tsx'
import { DifferenceList } from '../../components/difference-list.tsx'
import { ObjectLink } from '../../components/links.tsx'
import { Loading, Panel } from '../../components/placeholders.tsx'
import type { ObjectHistory } from '../../data/use-object-details.ts'
import { findDifferences } from '../../format/differences.ts'
import { headlineOf } from '../../format/object-headline.ts'

interface TimelineProps {
  readonly history: ObjectHistory | null
  readonly now: number | undefined
  /** The id of the object of the screen; its own events show no link to it. */
  readonly id: string
}

const PAGE_SIZE = 60

/** Shows the events of an object and of its related objects, newest first, each with its changed fields. */
export function Timeline({ history, now, id }: TimelineProps) {
  return (
    <Panel title="How it got here">
      {history === null && <Loading />}
      {history?.events.length === 0 && <p class="quiet">No event of it is stored.</p>}
      <DayList
        items={history?.events ?? []}
        timeOf={({ created }) => created}
        now={now}
        pageSize={PAGE_SIZE}
        render={(event) => <TimelineEntry key={event.id} event={event} isOwn={event.data.object.id === id} />}
      />
      {history?.isCut && (
        <p class="quiet">
          Older events, and events of older related objects, are on the screens of those objects.
        </p>
      )}
    </Panel>
  )
}

function TimelineEntry({ event, isOwn }: { readonly event: Event; readonly isOwn: boolean }) {
  const { id, type, created, data, request } = event
  const headline = headlineOf(data.object)
  return (
    <DayListItem at={created} outcome={eventTypeOutcomeOf(type)}>
      <div class="row">
        <ObjectLink id={id}>
          <strong>{type}</strong>
        </ObjectLink>
        {headline !== '' && <bdi class="clip">{headline}</bdi>}
      </div>
      <DifferenceList differences={findDifferences(event)} />
      <div class="row small">
        {!isOwn && <ObjectLink id={data.object.id} />}
        <span class="quiet">
          by {request === null ? 'time or a hosted page' : <ObjectLink id={request.id} />}
        </span>
      </div>
    </DayListItem>
  )
}

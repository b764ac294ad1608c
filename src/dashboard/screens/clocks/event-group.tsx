import { countOf } from '../../../presentation/words.ts'
import { EventLine } from '../../components/event-line.tsx'
import { MarkIcon } from '../../components/mark-shape.tsx'
import { formatTimeOfDay } from '../../format/format-time.ts'
import { lineOf } from './axis-events.ts'
import { selectHeadline } from './event-headlines.ts'
import { LaneTitle } from './lane-name.tsx'
import type { LaneGroup } from './lanes.ts'

/** Shows the events of one time in one lane: those that describe it best, and the others folded. */
export function EventGroup({ group, lane }: LaneGroup) {
  const headline = selectHeadline(group.events)
  const rest = group.events.filter((event) => !headline.includes(event))
  return (
    <li class="event-group">
      <time class="quiet small">{formatTimeOfDay(group.at)}</time>
      <MarkIcon outcome={group.outcome} isProjected={group.isProjected} />
      <div>
        <LaneTitle lane={lane} />
        {headline.map((event) => (
          <EventLine key={event.key} {...lineOf(event)} />
        ))}
        {rest.length > 0 && (
          <details>
            <summary class="quiet small">{countOf(rest.length, 'more event')}</summary>
            {rest.map((event) => (
              <EventLine key={event.key} {...lineOf(event)} />
            ))}
          </details>
        )}
      </div>
    </li>
  )
}

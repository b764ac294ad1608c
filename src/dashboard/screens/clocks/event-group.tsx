import { formatCountWithNoun } from '../../../presentation/words.ts'
import { EventLine } from '../../components/event-line.tsx'
import { OutcomeIcon } from '../../components/outcome-dot.tsx'
import { formatTimeOfDay } from '../../format/format-time.ts'
import { eventLineProps } from './axis-events.ts'
import { selectHeadlineEvents } from './event-headlines.ts'
import { LaneTitle } from './lane-name.tsx'
import type { LaneGroup } from './lanes.ts'

/** Shows the events of one time in one lane: those that describe it best, and the others folded. */
export function EventGroup({ group, lane }: LaneGroup) {
  const headline = selectHeadlineEvents(group.events)
  const rest = group.events.filter((event) => !headline.includes(event))
  return (
    <li class="event-group">
      <time class="quiet small">{formatTimeOfDay(group.at)}</time>
      <OutcomeIcon outcome={group.outcome} isProjected={group.isProjected} />
      <div>
        <LaneTitle lane={lane} />
        {headline.map((event) => (
          <EventLine key={event.key} {...eventLineProps(event)} />
        ))}
        {rest.length > 0 && (
          <details>
            <summary class="quiet small">{formatCountWithNoun(rest.length, 'more event')}</summary>
            {rest.map((event) => (
              <EventLine key={event.key} {...eventLineProps(event)} />
            ))}
          </details>
        )}
      </div>
    </li>
  )
}

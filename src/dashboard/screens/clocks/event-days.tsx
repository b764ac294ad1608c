import { useState } from 'preact/hooks'
import { countOf } from '../../../presentation/words.ts'
import { EventLine } from '../../components/event-line.tsx'
import { MarkIcon } from '../../components/mark-shape.tsx'
import { formatDate, formatDayDistance, formatTimeOfDay } from '../../format/format-time.ts'
import { lineOf } from './axis-events.ts'
import { selectHeadline } from './event-headlines.ts'
import { LaneTitle } from './lane-name.tsx'
import { groupByDay, type LaneGroup } from './lanes.ts'

interface EventDaysProps {
  /** In the order in which they are shown. */
  readonly groups: readonly LaneGroup[]
  /** The current time of the clock. */
  readonly now: number
  /** The e-mail addresses of customers by id. */
  readonly emails: ReadonlyMap<string, string>
}

const PAGE_GROUPS = 15

/** Shows the first groups of events by day, with a button for more. */
export function EventDays({ groups, now, emails }: EventDaysProps) {
  const [shown, setShown] = useState(PAGE_GROUPS)
  const hidden = groups.length - shown
  return (
    <>
      <ol class="event-days">
        {groupByDay(groups.slice(0, shown)).map(({ day, groups: own }) => (
          <li key={day}>
            <h3>
              <time dateTime={formatDate(day)}>{formatDate(day)}</time>
              <span class="quiet"> {formatDayDistance(day, now)}</span>
            </h3>
            <ol>
              {own.map((one) => (
                <GroupItem key={one.group.key} {...one} emails={emails} />
              ))}
            </ol>
          </li>
        ))}
      </ol>
      {hidden > 0 && (
        <button type="button" onClick={() => setShown(shown + PAGE_GROUPS)}>
          Show {Math.min(hidden, PAGE_GROUPS)} more of {hidden}
        </button>
      )}
    </>
  )
}

function GroupItem({ group, lane, emails }: LaneGroup & Pick<EventDaysProps, 'emails'>) {
  const headline = selectHeadline(group.events)
  const rest = group.events.filter((event) => !headline.includes(event))
  return (
    <li class="event-group">
      <time class="quiet">{formatTimeOfDay(group.at)}</time>
      <MarkIcon outcome={group.outcome} isProjected={group.isProjected} />
      <div>
        <LaneTitle lane={lane} emails={emails} />
        {headline.map((event) => (
          <EventLine key={event.key} {...lineOf(event)} />
        ))}
        {rest.length > 0 && (
          <details>
            <summary>{countOf(rest.length, 'more event')}</summary>
            {rest.map((event) => (
              <EventLine key={event.key} {...lineOf(event)} />
            ))}
          </details>
        )}
      </div>
    </li>
  )
}

import { EventLine } from '../../components/event-line.tsx'
import { formatTime } from '../../format/format-time.ts'
import { eventLineProps } from './axis-events.ts'
import type { Mark, TimeGroup } from './marks.ts'

interface MarkCardProps {
  readonly mark: Mark
  /** The position of its left and upper edge in pixels. */
  readonly left: number
  readonly top: number
}

/** Maximum number of events on a card; the lists below the axis show all events. */
const MAX_EVENTS = 8

/** Shows the events of a dot. */
export function MarkCard({ mark, left, top }: MarkCardProps) {
  let free = MAX_EVENTS
  const shown: TimeGroup[] = []
  for (const group of mark.groups) {
    if (free > 0) shown.push({ ...group, events: group.events.slice(0, free) })
    free -= group.events.length
  }
  return (
    <div class="mark-card stack tight small" style={{ left: `${left}px`, top: `${top}px` }} role="note">
      {shown.map((group) => (
        <div key={group.key}>
          <p>
            <strong>{formatTime(group.at)}</strong>
            <span class="quiet"> UTC{mark.isProjected && ', projected'}</span>
          </p>
          {group.events.map((event) => (
            <EventLine key={event.key} {...eventLineProps(event)} />
          ))}
        </div>
      ))}
      {free < 0 && <p class="quiet">{-free} more events, see the list below</p>}
    </div>
  )
}

import { EventLine } from '../../components/event-line.tsx'
import { formatTime } from '../../format/format-time.ts'
import { eventLineProps } from './axis-events.ts'
import { type AxisMark, groupByTime } from './marks.ts'

/** Maximum number of events on a card; the lists below the axis show all events. */
const MAX_EVENTS = 8

/** Shows the events of a dot on a card, whose upper edge is at `top` in pixels. */
export function MarkCard({ mark, top }: { readonly mark: AxisMark; readonly top: number }) {
  const events = mark.groups.flatMap((group) => group.events)
  const hidden = events.length - MAX_EVENTS
  // The style sheet sets a width of 21rem. The card must not extend beyond the axis.
  const left = `clamp(0px, ${mark.x}px - 10.5rem, 100% - 21rem)`
  return (
    <div class="panel mark-card stack tight small" style={{ left, top: `${top}px` }} role="note">
      {groupByTime(events.slice(0, MAX_EVENTS)).map((group) => (
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
      {hidden > 0 && <p class="quiet">{hidden} more events, see the list below</p>}
    </div>
  )
}

import { useState } from 'preact/hooks'
import { EventLine } from '../../components/event-line.tsx'
import { OutcomeDot } from '../../components/outcome-dot.tsx'
import { formatDateTime } from '../../format/format-time.ts'
import { type AxisMark, formatMarkLabel, groupByTime } from './marks.ts'

interface AxisMarksProps {
  /** The dots by lane. */
  readonly lanes: readonly (readonly AxisMark[])[]
  /** Shows the card of the dot with this key; null hides the card. */
  readonly onSelect: (key: string | null) => void
}

/** Shows the dots of all lanes. The Tab key reaches one dot; arrow keys move between the dots. */
export function AxisMarks({ lanes, onSelect }: AxisMarksProps) {
  const [focused, setFocused] = useState<string | null>(null)
  const all = lanes.flat()
  const current = all.find(({ key }) => key === focused) ?? all[0]
  const onKey = (event: KeyboardEvent & { readonly currentTarget: SVGGElement }) => {
    if (event.key === 'Escape') onSelect(null)
    const next = current === undefined ? undefined : neighborOf(event.key, current, lanes)
    if (next === undefined) return
    event.preventDefault()
    const selector = `[data-mark="${CSS.escape(next.key)}"]`
    event.currentTarget.ownerSVGElement?.querySelector<SVGGElement>(selector)?.focus()
  }
  return lanes.map((marks, lane) =>
    marks.map((mark) => {
      const { key, x, groups } = mark
      const y = getDotsY(lane)
      const box = { x: x - TOUCH_SIZE / 2, y: y - TOUCH_SIZE / 2, width: TOUCH_SIZE, height: TOUCH_SIZE }
      const count = groups.reduce((sum, { events }) => sum + events.length, 0)
      return (
        <g key={key}>
          {/* biome-ignore lint/a11y/useSemanticElements: SVG has no button. */}
          <g
            class="mark"
            data-mark={key}
            role="button"
            // The attribute is lower case, because Preact does not change its case, and SVG is case-sensitive.
            tabindex={mark === current ? 0 : -1}
            aria-label={formatMarkLabel(mark)}
            onFocus={() => {
              setFocused(key)
              onSelect(key)
            }}
            onPointerEnter={() => onSelect(key)}
            onClick={() => onSelect(key)}
            onKeyDown={onKey}
          >
            <rect class="hit" rx="6" {...box} />
            <OutcomeDot {...mark} y={y} size={groups.length > 1 ? 8 : 6} />
          </g>
          {/* The card is outside the button, because the label of the button already describes the events. */}
          {count > 1 && (
            <text class="mark-count" x={x} y={y + 23} text-anchor="middle">
              {count}
            </text>
          )}
        </g>
      )
    }),
  )
}

/** Returns the dot to which a key moves the focus: the next dot of the lane, or the nearest dot of another lane. */
function neighborOf(key: string, from: AxisMark, lanes: AxisMarksProps['lanes']): AxisMark | undefined {
  const lane = lanes.findIndex((marks) => marks.includes(from))
  const own = lanes[lane] ?? []
  const index = own.indexOf(from)
  const at = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: own.length - 1 }[key]
  if (at !== undefined) return own[at]
  const step = { ArrowUp: -1, ArrowDown: 1 }[key]
  if (step === undefined) return undefined
  for (let other = lane + step; other in lanes; other += step) {
    const [nearest] = (lanes[other] ?? []).toSorted((a, b) => Math.abs(a.x - from.x) - Math.abs(b.x - from.x))
    if (nearest !== undefined) return nearest
  }
  return undefined
}

/** Height of the handle above the lanes, in pixels. */
export const HANDLE_HEIGHT = 34
/** Height of a lane with its name and dots, in pixels. */
const LANE_HEIGHT = 68
/** Height of the labels below the lanes, in pixels. */
export const TICKS_HEIGHT = 24
/** The distance of the dots of a lane from its upper edge. */
const LANE_DOTS_OFFSET = 40
/** Width of a dot that can be touched; closer groups become one dot. */
export const TOUCH_SIZE = 26

/** Returns the upper edge of a lane. For the number of lanes, returns the lower edge of the last lane. */
export function getLaneTop(lane: number): number {
  return HANDLE_HEIGHT + lane * LANE_HEIGHT
}

/** Returns the y coordinate of a lane's dots in pixels. */
export function getDotsY(lane: number): number {
  return getLaneTop(lane) + LANE_DOTS_OFFSET
}

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
            <strong>{formatDateTime(group.at)}</strong>
            <span class="quiet"> UTC{mark.isProjected && ', projected'}</span>
          </p>
          {group.events.map((event) => (
            <EventLine {...event} key={event.key} />
          ))}
        </div>
      ))}
      {hidden > 0 && <p class="quiet">{hidden} more events, see the list below</p>}
    </div>
  )
}

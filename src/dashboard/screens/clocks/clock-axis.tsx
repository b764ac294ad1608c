import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { formatDistance, formatTime } from '../../format/format-time.ts'
import { AxisHandle, type AxisHandleProps } from './axis-handle.tsx'
import {
  axisHeight,
  cardLeft,
  dotsY,
  HANDLE_HEIGHT,
  LANE_DOTS_OFFSET,
  LANE_HEIGHT,
  lanesBottom,
  TOUCH_SIZE,
} from './axis-layout.ts'
import { AxisMarks, type PlacedMark } from './axis-marks.tsx'
import { LaneName } from './lane-name.tsx'
import type { Lane } from './lanes.ts'
import { MarkCard } from './mark-card.tsx'
import { groupByTime, placeMarks } from './marks.ts'
import { positionOf, type TimeScale, ticksOf } from './time-scale.ts'

interface ClockAxisProps
  extends Pick<
    AxisHandleProps,
    'now' | 'target' | 'isDisabled' | 'onTarget' | 'onBack' | 'onDrag' | 'onRelease'
  > {
  readonly lanes: readonly Lane[]
  readonly window: { readonly start: number; readonly end: number }
  /** The time that a running advance has reached, in Unix seconds; null when none runs. */
  readonly reached: number | null
  readonly isDragging: boolean
}

const MIN_TICK_GAP = 88

/** Shows the time axis of a clock: events as dots, and the handle that advances the clock. */
export function ClockAxis(props: ClockAxisProps) {
  const { lanes, now, target } = props
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const { start, end } = props.window
  const scale = useMemo(() => ({ start, end, width }), [start, end, width])
  const groups = useMemo(() => lanes.map(({ events }) => groupByTime(events)), [lanes])
  const marks = useMemo(() => groups.map((own) => placeMarks(own, scale, TOUCH_SIZE)), [groups, scale])
  const [selected, setSelected] = useState<PlacedMark | null>(null)
  const shown = marks[selected?.lane ?? -1]?.find(({ key }) => key === selected?.mark.key)
  const projected = groups.flatMap((own) => own.filter((group) => group.isProjected).map(({ at }) => at))
  const hide = () => setSelected(null)
  const hideAfterBlur = ({ relatedTarget }: FocusEvent) => {
    if (!(relatedTarget instanceof Node && box.current?.contains(relatedTarget))) hide()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hides the card when pointer or focus leave.
    <div
      class="axis"
      ref={box}
      style={{ height: `${axisHeight(lanes.length)}px` }}
      onPointerLeave={hide}
      onBlurCapture={hideAfterBlur}
      onKeyDown={({ key }) => key === 'Escape' && hide()}
    >
      {width > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: SVG has no fieldset.
        <svg width={width} height={axisHeight(lanes.length)} role="group" aria-label="Time axis of the clock">
          <AxisGround {...props} scale={scale} laneCount={lanes.length} />
          <AxisMarks lanes={marks} onSelect={setSelected} />
          <AxisHandle {...props} scale={scale} events={projected} />
        </svg>
      )}
      <HandleLabel {...props} scale={scale} now={now} target={target} />
      {lanes.map((lane, index) => (
        <LaneName
          key={lane.id}
          lane={lane}
          top={HANDLE_HEIGHT + index * LANE_HEIGHT}
          isOnly={lanes.length === 1}
        />
      ))}
      {selected !== null && shown !== undefined && !props.isDragging && (
        <MarkCard mark={shown} left={cardLeft(shown.x, width)} top={dotsY(selected.lane) + TOUCH_SIZE / 2} />
      )}
    </div>
  )
}

interface AxisGroundProps extends Pick<ClockAxisProps, 'now' | 'target' | 'reached'> {
  readonly scale: TimeScale
  readonly laneCount: number
}

/**
 * Shows the background of the dots: ticks, the lines of the lanes, the current time and the time span of the advance.
 */
function AxisGround({ scale, laneCount, now, target, reached }: AxisGroundProps) {
  const bottom = lanesBottom(laneCount)
  const [nowX, targetX] = [positionOf(now, scale), positionOf(target, scale)]
  const height = bottom - HANDLE_HEIGHT
  const span = { y: HANDLE_HEIGHT, height }
  return (
    <g>
      <rect class="axis-future" x={nowX} width={Math.max(0, scale.width - nowX)} {...span} />
      {target > now && <rect class="axis-passing" x={nowX} width={targetX - nowX} {...span} />}
      {reached !== null && (
        <rect
          class="axis-passing"
          x={nowX}
          width={Math.max(0, positionOf(reached, scale) - nowX)}
          {...span}
        />
      )}
      {ticksOf(scale, MIN_TICK_GAP).map(({ at, label }) => {
        const x = positionOf(at, scale)
        const anchor = x < 34 ? 'start' : x > scale.width - 34 ? 'end' : 'middle'
        return (
          <g key={at}>
            <path class="axis-tick" d={`M${x} ${HANDLE_HEIGHT}V${bottom}`} />
            <text class="axis-label" x={x} y={bottom + 17} text-anchor={anchor}>
              {label}
            </text>
          </g>
        )
      })}
      {Array.from({ length: laneCount }, (_, lane) => lane).map((lane) => (
        <path
          key={lane}
          class="axis-lane"
          d={`M0 ${HANDLE_HEIGHT + lane * LANE_HEIGHT + LANE_DOTS_OFFSET}H${scale.width}`}
        />
      ))}
      {target > now && <path class="axis-now" d={`M${nowX} ${HANDLE_HEIGHT}V${bottom}`} />}
      <path class="axis-handle-line" d={`M${targetX} ${HANDLE_HEIGHT - 6}V${bottom}`} />
    </g>
  )
}

interface HandleLabelProps extends Pick<ClockAxisProps, 'now' | 'target' | 'isDragging' | 'isDisabled'> {
  readonly scale: TimeScale
}

const LABEL_GAP = 22

/** Shows the time of the handle next to it. */
function HandleLabel({ scale, now, target, isDragging, isDisabled }: HandleLabelProps) {
  const x = positionOf(target, scale)
  const isRight = x < scale.width * 0.55
  const space = (isRight ? scale.width - x : x) - LABEL_GAP
  const side = isRight ? { left: `${x + LABEL_GAP}px` } : { right: `${scale.width - x + LABEL_GAP}px` }
  const distance = target > now ? ` ${formatDistance(target, now)}` : ''
  const hint = isDragging ? 'Release to advance to ' : ''
  return (
    <p
      class="axis-handle-label small"
      style={{ ...side, maxWidth: `${Math.max(0, space)}px` }}
      aria-hidden="true"
    >
      {hint}
      <strong>{formatTime(target)}</strong>
      {target > now ? distance : isDisabled ? '' : <span class="quiet"> drag to advance →</span>}
    </p>
  )
}

function useWidth(box: { readonly current: HTMLDivElement | null }): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const { current } = box
    if (current === null) return
    const observer = new ResizeObserver(() => setWidth(current.clientWidth))
    observer.observe(current)
    return () => observer.disconnect()
  }, [box])
  return width
}

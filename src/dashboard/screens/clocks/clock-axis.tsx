import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { formatDateTime, formatTimeDistance } from '../../format/format-time.ts'
import type { AdvanceTargetControl } from './advance-targets.ts'
import { AxisHandle, type AxisHandleProps } from './axis-handle.tsx'
import {
  AxisMarks,
  getDotsY,
  getLaneTop,
  HANDLE_HEIGHT,
  MarkCard,
  TICKS_HEIGHT,
  TOUCH_SIZE,
} from './axis-marks.tsx'
import { LaneName } from './lane-filters.tsx'
import type { Lane } from './lanes.ts'
import { groupByTime, placeMarks } from './marks.ts'
import { getXOfTime, listAxisTicks } from './time-scale.ts'

interface ClockAxisProps extends AdvanceTargetControl, Pick<AxisHandleProps, 'onDrag'> {
  readonly lanes: readonly Lane[]
  readonly window: { readonly start: number; readonly end: number }
  readonly isDragging: boolean
}

/** Shows the time axis of a clock: events as dots, and the handle that advances the clock. */
export function ClockAxis(props: ClockAxisProps) {
  const { lanes } = props
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const { start, end } = props.window
  const scale = useMemo(() => ({ start, end, width }), [start, end, width])
  const groups = useMemo(() => lanes.map(({ events }) => groupByTime(events)), [lanes])
  const marks = useMemo(() => groups.map((own) => placeMarks(own, scale, TOUCH_SIZE)), [groups, scale])
  const [selected, setSelected] = useState<string | null>(null)
  const lane = marks.findIndex((own) => own.some(({ key }) => key === selected))
  const shown = marks[lane]?.find(({ key }) => key === selected)
  const projected = groups.flatMap((own) => own.filter((group) => group.isProjected).map(({ at }) => at))
  const height = getLaneTop(lanes.length) + TICKS_HEIGHT
  const hasNames = lanes.length > 1 || lanes[0]?.id !== null
  const hide = () => setSelected(null)
  const hideAfterBlur = ({ relatedTarget }: FocusEvent) => {
    if (!(relatedTarget instanceof Node && box.current?.contains(relatedTarget))) hide()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the element hides the card when the pointer or the focus leaves.
    <div
      class="axis"
      ref={box}
      style={{ height: `${height}px` }}
      onPointerLeave={hide}
      onBlurCapture={hideAfterBlur}
      onKeyDown={({ key }) => key === 'Escape' && hide()}
    >
      {width > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: SVG has no fieldset.
        <svg width={width} height={height} role="group" aria-label="Time axis of the clock">
          <AxisGround {...props} scale={scale} />
          <AxisMarks lanes={marks} onSelect={setSelected} />
          <AxisHandle {...props} scale={scale} events={projected} />
        </svg>
      )}
      <HandleLabel {...props} scale={scale} />
      {hasNames && lanes.map((lane, index) => <LaneName key={lane.id} lane={lane} top={getLaneTop(index)} />)}
      {shown !== undefined && !props.isDragging && (
        <MarkCard mark={shown} top={getDotsY(lane) + TOUCH_SIZE / 2} />
      )}
    </div>
  )
}

type WithScale = ClockAxisProps & Pick<AxisHandleProps, 'scale'>

/**
 * Shows the background of the dots: ticks, the lines of the lanes, the current time and the time span of the advance.
 */
function AxisGround({ scale, lanes, now, target, reached }: WithScale) {
  const bottom = getLaneTop(lanes.length)
  const [nowX, targetX] = [getXOfTime(now, scale), getXOfTime(target, scale)]
  const spanTo = (at: number) => ({
    ...{ x: nowX, width: Math.max(0, getXOfTime(at, scale) - nowX) },
    ...{ y: HANDLE_HEIGHT, height: bottom - HANDLE_HEIGHT },
  })
  return (
    <g>
      <rect class="axis-future" {...spanTo(scale.end)} />
      <rect class="axis-passing" {...spanTo(target)} />
      {reached !== null && <rect class="axis-passing" {...spanTo(reached)} />}
      {listAxisTicks(scale).map(({ at, label }) => {
        const x = getXOfTime(at, scale)
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
      {lanes.map(({ id }, lane) => (
        <path key={id} class="axis-lane" d={`M0 ${getDotsY(lane)}H${scale.width}`} />
      ))}
      {target > now && <path class="axis-now" d={`M${nowX} ${HANDLE_HEIGHT}V${bottom}`} />}
      <path class="axis-handle-line" d={`M${targetX} ${HANDLE_HEIGHT - 6}V${bottom}`} />
    </g>
  )
}

const LABEL_GAP = 22

/** Shows the time of the handle next to the handle. */
function HandleLabel({ scale, now, target, isDragging, isDisabled }: WithScale) {
  const x = getXOfTime(target, scale)
  const side =
    x < scale.width * 0.55
      ? { left: `${x + LABEL_GAP}px`, right: 0 }
      : { left: 0, right: `${scale.width - x + LABEL_GAP}px`, textAlign: 'end' }
  return (
    <p class="axis-handle-label ellipsis small" style={side} aria-hidden="true">
      {isDragging && 'Release to advance to '}
      <strong>{formatDateTime(target)}</strong>
      {target > now && ` ${formatTimeDistance(target, now)}`}
      {target === now && !isDisabled && <span class="quiet"> drag to advance →</span>}
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

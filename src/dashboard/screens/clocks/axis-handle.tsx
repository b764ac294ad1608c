import { useRef } from 'preact/hooks'
import { formatDateTime, formatTimeDistance } from '../../format/format-time.ts'
import { type AdvanceTargetControl, findTargetAfterKey, getLatestTarget } from './advance-targets.ts'
import { getXOfTime, snapTime, type TimeScale } from './time-scale.ts'

export interface AxisHandleProps extends AdvanceTargetControl {
  readonly scale: TimeScale
  /** The times of projected events, to which the handle snaps. */
  readonly events: readonly number[]
  /** Called when dragging begins and ends, so that the axis does not move during dragging. */
  readonly onDrag: (isDragging: boolean) => void
}

/** Pixels to the left of the current time beyond which the screen explains that a clock cannot go back. */
const BACK_REACH = 12
const GRIP = { width: 28, height: 26 }

/**
 * Shows the handle at the current time of the clock. Moving the handle to the right, by dragging or with keys, advances
 * the clock.
 */
export function AxisHandle(props: AxisHandleProps) {
  const { scale, now, target, isDisabled } = props
  const x = Math.min(Math.max(getXOfTime(target, scale), 0), scale.width)
  const drag = useDrag(props)
  const onKeyDown = (event: KeyboardEvent) => {
    if (isDisabled || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape') drag.cancel()
    if (event.key === 'Enter' && target > now) props.onAdvance(target)
    const moved = findTargetAfterKey(event.key, { now, target })
    if (moved === null) return
    event.preventDefault()
    if (moved.isBack) props.onBack()
    else props.onTarget(moved.target)
  }
  return (
    <g
      class="axis-handle"
      role="slider"
      tabindex={isDisabled ? -1 : 0}
      aria-label="Time of the clock"
      aria-disabled={isDisabled}
      aria-valuemin={now}
      aria-valuemax={getLatestTarget(now)}
      aria-valuenow={target}
      aria-valuetext={valueText(now, target)}
      onKeyDown={onKeyDown}
      onPointerDown={drag.start}
      onPointerMove={drag.move}
      onPointerUp={drag.end}
      onPointerCancel={drag.cancel}
    >
      <rect class="axis-handle-grip" x={x - GRIP.width / 2} y="2" {...GRIP} rx="7" />
      <path class="axis-handle-icon" d={`M${x - 5} 10v10M${x} 10l5 5l-5 5`} />
    </g>
  )
}

function valueText(now: number, target: number): string {
  const time = `${formatDateTime(target)} UTC`
  return target > now
    ? `${time}, ${formatTimeDistance(target, now)}. Press Enter to advance.`
    : `${time}, now`
}

type HandleEvent = PointerEvent & { readonly currentTarget: SVGGElement }

function useDrag({ scale, now, events, isDisabled, ...props }: AxisHandleProps) {
  const dragged = useRef<number | null>(null)
  const finish = () => {
    dragged.current = null
    props.onDrag(false)
  }
  return {
    start(event: HandleEvent) {
      if (isDisabled || event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      event.currentTarget.focus({ preventScroll: true })
      dragged.current = now
      props.onDrag(true)
    },
    move(event: HandleEvent) {
      if (dragged.current === null) return
      const box = event.currentTarget.ownerSVGElement?.getBoundingClientRect()
      const x = Math.min(Math.max(event.clientX - (box?.left ?? 0), 0), scale.width)
      if (x < getXOfTime(now, scale) - BACK_REACH) props.onBack()
      dragged.current = Math.min(snapTime(x, scale, { now, events }), getLatestTarget(now))
      props.onTarget(dragged.current)
    },
    end() {
      const target = dragged.current
      if (target === null) return
      finish()
      if (target > now) props.onAdvance(target)
    },
    cancel() {
      finish()
      props.onTarget(now)
    },
  }
}

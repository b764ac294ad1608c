import type { EventOutcome } from '../../domain/core/event-types.ts'

interface MarkShapeProps {
  readonly outcome: EventOutcome
  /** Whether the dot is hollow (default: false). */
  readonly isProjected?: boolean
  readonly x: number
  readonly y: number
  /** Half of the width of the dot in pixels. */
  readonly size?: number
}

/**
 * Shows the dot of events: a circle for a good outcome, a diamond for a bad outcome, otherwise a square. Projected
 * events have a hollow dot.
 */
export function OutcomeDot({ outcome, isProjected = false, x, y, size = 6 }: MarkShapeProps) {
  const look = `shape ${outcome}${isProjected ? ' shape-projected' : ''}`
  if (outcome === 'good') return <circle class={look} cx={x} cy={y} r={size} />
  if (outcome === 'bad') {
    const half = size * 1.3
    return <path class={look} d={`M${x} ${y - half}L${x + half} ${y}L${x} ${y + half}L${x - half} ${y}Z`} />
  }
  const half = size * 0.8
  return <rect class={look} x={x - half} y={y - half} width={2 * half} height={2 * half} rx="1" />
}

/** Shows the dot inline in text. */
export function OutcomeIcon({
  outcome,
  isProjected = false,
}: Pick<MarkShapeProps, 'outcome' | 'isProjected'>) {
  return (
    <svg width="18" height="18" aria-hidden="true">
      <OutcomeDot outcome={outcome} isProjected={isProjected} x={9} y={9} />
    </svg>
  )
}

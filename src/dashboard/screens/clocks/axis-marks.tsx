import { useState } from 'preact/hooks'
import { OutcomeDot } from '../../components/outcome-dot.tsx'
import { dotsY, TOUCH_SIZE } from './axis-layout.ts'
import { type Mark, markText } from './marks.ts'

/** A dot of a lane. */
export interface PlacedMark {
  readonly lane: number
  readonly mark: Mark
}

interface AxisMarksProps {
  /** The dots by lane. */
  readonly lanes: readonly (readonly Mark[])[]
  /** Shows the card of a dot; null hides it. */
  readonly onSelect: (placed: PlacedMark | null) => void
}

/** Shows the dots of all lanes. Tab reaches one of them; arrow keys move between them. */
export function AxisMarks({ lanes, onSelect }: AxisMarksProps) {
  const all = lanes.flatMap((marks, lane) => marks.map((mark) => ({ lane, mark })))
  const [focused, setFocused] = useState<string | null>(null)
  const current = all.find((one) => nameOf(one) === focused) ?? all[0]
  const onKey = (event: KeyboardEvent & { readonly currentTarget: SVGGElement }) => {
    if (event.key === 'Escape') onSelect(null)
    const next = current === undefined ? undefined : neighborOf(event.key, current, lanes)
    if (next === undefined) return
    event.preventDefault()
    const selector = `[data-mark="${CSS.escape(nameOf(next))}"]`
    event.currentTarget.ownerSVGElement?.querySelector<SVGGElement>(selector)?.focus()
  }
  return all.map((placed) => {
    const { mark, lane } = placed
    const name = nameOf(placed)
    const { x, groups, outcome, isProjected } = mark
    const y = dotsY(lane)
    return (
      <g key={name}>
        {/* biome-ignore lint/a11y/useSemanticElements: SVG has no button. */}
        <g
          class="mark"
          data-mark={name}
          role="button"
          // Lower case, because Preact sets this attribute as it is written, and SVG is case-sensitive.
          tabindex={placed === current ? 0 : -1}
          aria-label={markText(mark)}
          onFocus={() => {
            setFocused(name)
            onSelect(placed)
          }}
          onPointerEnter={() => onSelect(placed)}
          onClick={() => onSelect(placed)}
          onKeyDown={onKey}
        >
          <rect
            class="mark-target"
            {...{
              x: x - TOUCH_SIZE / 2,
              y: y - TOUCH_SIZE / 2,
              width: TOUCH_SIZE,
              height: TOUCH_SIZE,
              rx: 6,
            }}
          />
          <OutcomeDot
            outcome={outcome}
            isProjected={isProjected}
            x={x}
            y={y}
            size={groups.length > 1 ? 8 : 6}
          />
        </g>
        <MarkCount mark={mark} y={y} />
      </g>
    )
  })
}

// Outside of the button, whose label describes the events in words.
function MarkCount({ mark: { x, groups }, y }: { readonly mark: Mark; readonly y: number }) {
  const count = groups.reduce((sum, { events }) => sum + events.length, 0)
  if (count === 1) return null
  return (
    <text class="mark-count" x={x} y={y + 23} text-anchor="middle">
      {count}
    </text>
  )
}

function nameOf({ lane, mark }: PlacedMark): string {
  return `${lane}-${mark.key}`
}

/** Returns the dot to which a key moves: the next one of the lane, or the nearest one of another lane. */
function neighborOf(
  key: string,
  { lane, mark }: PlacedMark,
  lanes: AxisMarksProps['lanes'],
): PlacedMark | undefined {
  const own = lanes[lane] ?? []
  const index = own.findIndex((one) => one.key === mark.key)
  const at = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: own.length - 1 }[key]
  const next = at === undefined ? undefined : own[at]
  if (next !== undefined) return { lane, mark: next }
  const step = { ArrowUp: -1, ArrowDown: 1 }[key]
  if (step === undefined) return undefined
  for (let other = lane + step; other in lanes; other += step) {
    const [nearest] = (lanes[other] ?? []).toSorted((a, b) => Math.abs(a.x - mark.x) - Math.abs(b.x - mark.x))
    if (nearest !== undefined) return { lane: other, mark: nearest }
  }
  return undefined
}

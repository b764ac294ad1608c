import { useMemo, useState } from 'preact/hooks'
import { OutcomeIcon } from '../../components/outcome-dot.tsx'
import { SegmentedControl } from '../../components/segmented-control.tsx'
import { setFilters } from '../../data/use-filters.ts'
import { useRoute } from '../../routing/router.ts'
import type { AxisEvent } from './axis-events.ts'
import { ClockAxis } from './clock-axis.tsx'
import { collapseLanes, groupByLane, type Lane } from './lanes.ts'
import { visibleWindow, ZOOM_LEVELS, type ZoomLevel } from './time-scale.ts'

interface ClockPlotProps {
  readonly now: number
  readonly target: number
  readonly reached: number | null
  readonly past: readonly AxisEvent[] | null
  readonly projected: readonly AxisEvent[]
  readonly isDisabled: boolean
  readonly onTarget: (target: number) => void
  readonly onRelease: (target: number) => void
  readonly onBack: () => void
}

const MAX_LANES = 6
const NO_LANES: readonly Lane[] = [{ id: null, subscription: null, events: [], count: 0 }]

/** Shows the axis with the zoom and the lanes that the URL selects. */
export function ClockPlot({ past, projected, ...props }: ClockPlotProps) {
  const { now, target } = props
  const { query } = useRoute()
  const zoom = ZOOM_LEVELS.find((one) => one === query.get('zoom')) ?? 'fit'
  const from = readTime(query.get('from'))
  const isExpanded = query.get('lanes') === 'all'
  const all = useMemo(() => groupByLane([...(past ?? []), ...projected]), [past, projected])
  const lanes = useMemo(() => collapseLanes(all, isExpanded ? all.length : MAX_LANES), [all, isExpanded])
  const first = past?.[0]?.created ?? null
  const next = projected[0]?.created ?? null
  const shown = visibleWindow({ zoom, now, target, first, next, from })
  const [frozen, setFrozen] = useState<typeof shown | null>(null)
  const count = all.filter(({ id }) => id !== null).length
  return (
    <div class="stack">
      <div class="row spread">
        <Legend />
        <ZoomControls zoom={zoom} window={shown} />
      </div>
      <ClockAxis
        {...props}
        lanes={lanes.length === 0 ? NO_LANES : lanes}
        window={frozen ?? shown}
        isDragging={frozen !== null}
        onDrag={(isDragging) => setFrozen(isDragging ? shown : null)}
      />
      {count > MAX_LANES && (
        <button
          type="button"
          onClick={() => setFilters({ lanes: isExpanded ? '' : 'all' })}
          aria-expanded={isExpanded}
        >
          {isExpanded ? `Show ${MAX_LANES} lanes` : `Show all ${count} subscriptions`}
        </button>
      )}
    </div>
  )
}

function readTime(text: string | null): number | null {
  return text !== null && /^\d{1,12}$/.test(text) ? Number(text) : null
}

const ZOOM_NAMES: Readonly<Record<ZoomLevel, string>> = {
  fit: 'All',
  year: 'Year',
  month: 'Month',
  day: 'Day',
}

interface ZoomControlsProps {
  readonly zoom: ZoomLevel
  readonly window: { readonly start: number; readonly end: number }
}

function ZoomControls({ zoom, window }: ZoomControlsProps) {
  const move = (direction: number) => {
    const length = window.end - window.start
    setFilters({ from: String(Math.max(0, Math.round(window.start + (direction * length) / 2))) })
  }
  return (
    <div class="row">
      {zoom !== 'fit' && (
        <button type="button" aria-label="Earlier" onClick={() => move(-1)}>
          ←
        </button>
      )}
      <SegmentedControl
        label="Zoom"
        choices={ZOOM_LEVELS.map((one) => [one, ZOOM_NAMES[one]])}
        value={zoom}
        onChange={(one) => setFilters({ from: '', zoom: one === 'fit' ? '' : one })}
      />
      {zoom !== 'fit' && (
        <button type="button" aria-label="Later" onClick={() => move(1)}>
          →
        </button>
      )}
    </div>
  )
}

function Legend() {
  const outcomes = { good: 'good', bad: 'bad', neutral: 'other' } as const
  return (
    <ul class="row small quiet">
      {(['good', 'bad', 'neutral'] as const).map((outcome) => (
        <li key={outcome} class="row">
          <OutcomeIcon outcome={outcome} /> {outcomes[outcome]}
        </li>
      ))}
      <li class="row">
        <OutcomeIcon outcome="good" isProjected /> hollow: projected
      </li>
    </ul>
  )
}

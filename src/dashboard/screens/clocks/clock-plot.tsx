import { useMemo, useState } from 'preact/hooks'
import { humanizeName } from '../../../presentation/words.ts'
import { SegmentedControl } from '../../components/filter-bar.tsx'
import { OutcomeIcon } from '../../components/outcome-dot.tsx'
import { setFilters, useRoute } from '../../routing/router.ts'
import type { AdvanceTargetControl } from './advance-targets.ts'
import { ClockAxis } from './clock-axis.tsx'
import { collapseLanes, type Lane } from './lanes.ts'
import { getVisibleWindow, type TimeScale, ZOOM_LEVELS, type ZoomLevel } from './time-scale.ts'
import type { ClockData } from './use-clock-timeline.ts'

interface ClockPlotProps extends AdvanceTargetControl {
  readonly data: ClockData
}

const MAX_LANES = 6
const NO_LANES: readonly Lane[] = [{ id: null, subscription: null, email: null, events: [], count: 0 }]

/** Shows the axis with the zoom and the lanes that the URL selects. */
export function ClockPlot({ data, ...control }: ClockPlotProps) {
  const { now, target } = control
  const { past, projected, lanes: all } = data
  const { query } = useRoute()
  const zoom = ZOOM_LEVELS.find((one) => one === query.get('zoom')) ?? 'fit'
  const from = /^\d{1,12}$/.test(query.get('from') ?? '') ? Number(query.get('from')) : null
  const isExpanded = query.get('lanes') === 'all'
  const lanes = useMemo(() => collapseLanes(all, isExpanded ? all.length : MAX_LANES), [all, isExpanded])
  const first = past?.[0]?.created ?? null
  const next = projected[0]?.created ?? null
  const shown = getVisibleWindow({ zoom, now, target, first, next, from })
  const [frozen, setFrozen] = useState<typeof shown | null>(null)
  const count = all.filter(({ id }) => id !== null).length
  return (
    <div class="stack">
      <div class="row spread">
        <Legend />
        <ZoomControls zoom={zoom} {...shown} />
      </div>
      <ClockAxis
        {...control}
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

function ZoomControls({ zoom, start, end }: Omit<TimeScale, 'width'> & { readonly zoom: ZoomLevel }) {
  const moveButton = (label: string, arrow: string, distance: number) =>
    zoom !== 'fit' && (
      <button
        type="button"
        aria-label={label}
        onClick={() => setFilters({ from: String(Math.max(0, Math.round(start + distance))) })}
      >
        {arrow}
      </button>
    )
  return (
    <div class="row">
      {moveButton('Earlier', '←', (start - end) / 2)}
      <SegmentedControl
        label="Zoom"
        choices={ZOOM_LEVELS.map((one) => [one, one === 'fit' ? 'All' : humanizeName(one)])}
        value={zoom}
        onChange={(one) => setFilters({ from: '', zoom: one === 'fit' ? '' : one })}
      />
      {moveButton('Later', '→', (end - start) / 2)}
    </div>
  )
}

const LEGEND = [
  ['good', false, 'good'],
  ['bad', false, 'bad'],
  ['neutral', false, 'other'],
  ['good', true, 'hollow: projected'],
] as const

function Legend() {
  return (
    <ul class="row small quiet">
      {LEGEND.map(([outcome, isProjected, name]) => (
        <li key={name} class="row">
          <OutcomeIcon outcome={outcome} isProjected={isProjected} /> {name}
        </li>
      ))}
    </ul>
  )
}

import { formatCountWithNoun } from '../../../presentation/words.ts'
import { DataTable, type DataTableColumn } from '../../components/data-table.tsx'
import { createFilterChoices, FilterBar } from '../../components/filter-bar.tsx'
import { ObjectLink, StatusBadge, UtcTime } from '../../components/values.tsx'
import { type AxisEvent, findTextField, formatPaymentTotals } from './axis-events.ts'
import { formatLaneTitle, type Lane, MERGED_LANE_ID } from './lanes.ts'

interface LaneFiltersProps {
  readonly all: readonly Lane[]
  /** The lanes of the subscriptions that the URL selects. */
  readonly selected: readonly Lane[]
}

/** Shows the fields that select one or two subscriptions, and compares the figures of two subscriptions. */
export function LaneFilters({ all, selected }: LaneFiltersProps) {
  const lanes = new Map(all.flatMap((lane) => (lane.id === null ? [] : [[lane.id, lane] as const])))
  if (lanes.size < 2) return null
  const choices = createFilterChoices([...lanes.keys()], (id) => {
    const lane = lanes.get(id)
    return lane === undefined
      ? id
      : [formatLaneTitle(lane).slice(0, 60), lane.email].filter(Boolean).join(' · ')
  })
  return (
    <>
      <FilterBar
        fields={[
          { name: 'subscription', label: 'Subscription', choices },
          { name: 'compared', label: 'Compare with', choices: [['', 'None'], ...choices.slice(1)] },
        ]}
      />
      {selected.length > 1 && (
        <DataTable label="Comparison" columns={COLUMNS} items={selected} keyOf={({ id }) => id ?? ''} />
      )}
    </>
  )
}

const COLUMNS: readonly DataTableColumn<Lane>[] = [
  { label: 'Subscription', cell: (lane) => <LaneTitle lane={lane} /> },
  {
    label: 'Status',
    cell: ({ subscription }) => (
      <StatusBadge status={findTextField(subscription ?? {}, 'status') ?? 'pending'} />
    ),
  },
  { label: 'Until now', cell: ({ events }) => totalsOf(events, false) },
  { label: 'Projected', cell: ({ events }) => totalsOf(events, true) },
  {
    label: 'Next event',
    cell({ events }) {
      const next = events.find(({ isProjected }) => isProjected)
      return next === undefined ? '–' : <UtcTime at={next.created} />
    },
  },
]

function totalsOf(events: readonly AxisEvent[], isNext: boolean) {
  return formatPaymentTotals(events.filter(({ isProjected }) => isProjected === isNext)).join(', ') || '–'
}

/** Shows the subscription of a lane with its customer; nothing for events without a subscription. */
export function LaneTitle({ lane }: { readonly lane: Lane }) {
  if (lane.id === null) return null
  return (
    <span class="row lane-title">
      <ObjectLink id={lane.id}>
        <bdi>{formatLaneTitle(lane)}</bdi>
      </ObjectLink>
      {lane.email !== null && <bdi class="quiet">{lane.email}</bdi>}
    </span>
  )
}

/** Shows the name of a lane of the axis: its subscription with customer and status. */
export function LaneName({ lane, top }: { readonly lane: Lane; readonly top: number }) {
  const { id, subscription, count } = lane
  const status = findTextField(subscription ?? {}, 'status')
  const isGroup = id === null || id === MERGED_LANE_ID
  const title = id === null ? 'Without a subscription' : formatCountWithNoun(count, 'more subscription')
  return (
    <p class="row lane-name small" style={{ top: `${top}px` }}>
      {isGroup ? <span class="quiet">{title}</span> : <LaneTitle lane={lane} />}
      {!isGroup && status !== null && <StatusBadge status={status} />}
    </p>
  )
}

import { type Column, DataTable } from '../../components/data-table.tsx'
import { choicesOf, FilterBar } from '../../components/filter-bar.tsx'
import { StatusBadge, UtcTime } from '../../components/values.tsx'
import { type AxisEvent, paymentTotals, textField } from './axis-events.ts'
import { LaneTitle } from './lane-name.tsx'
import { type Lane, laneTitle } from './lanes.ts'

interface LaneFiltersProps {
  readonly all: readonly Lane[]
  /** The lanes of the subscriptions that the URL selects. */
  readonly selected: readonly Lane[]
}

/** Shows the choice of one or two subscriptions, and compares two subscriptions in numbers. */
export function LaneFilters({ all, selected }: LaneFiltersProps) {
  const lanes = new Map(all.flatMap((lane) => (lane.id === null ? [] : [[lane.id, lane] as const])))
  if (lanes.size < 2) return null
  const choices = choicesOf([...lanes.keys()], (id) => {
    const lane = lanes.get(id)
    return lane === undefined ? id : [laneTitle(lane).slice(0, 60), lane.email].filter(Boolean).join(' · ')
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

const COLUMNS: readonly Column<Lane>[] = [
  { label: 'Subscription', cell: (lane) => <LaneTitle lane={lane} /> },
  {
    label: 'Status',
    cell: ({ subscription }) => <StatusBadge status={textField(subscription ?? {}, 'status') ?? 'pending'} />,
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
  return paymentTotals(events.filter(({ isProjected }) => isProjected === isNext)).join(', ') || '–'
}

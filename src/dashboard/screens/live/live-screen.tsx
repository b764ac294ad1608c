import { useMemo, useState } from 'preact/hooks'
import { FilterBar } from '../../components/filter-bar.tsx'
import { EmptyState, ErrorNote, Loading } from '../../components/placeholders.tsx'
import { useFilters } from '../../data/use-filters.ts'
import { ActivityCounters } from './activity-counters.tsx'
import { type ActivityRow, activityRows } from './activity-rows.ts'
import { EventRow, GroupRow } from './feed-rows.tsx'
import { groupActivity } from './group-activity.ts'
import { useFeedSample } from './use-feed-sample.ts'
import { useKnownDeliveries } from './use-known-deliveries.ts'
import { VirtualList } from './virtual-list.tsx'

const FIELDS = [
  { name: 'text', label: 'Text', placeholder: 'Path, event, id, e-mail, amount' },
  { name: 'failed', label: 'Only failed', type: 'check' },
  { name: 'hide_get', label: 'Hide GET', type: 'check' },
] as const

/** Shows requests, their events and their deliveries while they happen. */
export function LiveScreen() {
  const [isPaused, setPaused] = useState(false)
  const sample = useFeedSample(isPaused)
  const { byEvent, hasEndpoint, error } = useKnownDeliveries()
  const { values, isFiltered } = useFilters(['text', 'failed', 'hide_get'])
  const groups = useMemo(
    () => (sample === null ? null : groupActivity(sample.events, sample.requests)),
    [sample],
  )
  const rows = useMemo(() => {
    const filters = {
      text: values.text,
      isFailedOnly: values.failed !== '',
      isGetHidden: values.hide_get !== '',
    }
    return groups === null ? null : activityRows(groups, filters, byEvent)
  }, [groups, byEvent, values.text, values.failed, values.hide_get])
  return (
    <div class="stack">
      <div class="row">
        <h1>Live</h1>
        <button type="button" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
          {isPaused ? 'Continue' : 'Pause'}
        </button>
        <ActivityCounters deliveries={byEvent} hasEndpoint={hasEndpoint} />
      </div>
      <FilterBar fields={FIELDS} />
      {error !== null && <ErrorNote error={error} />}
      <Feed rows={rows} isFiltered={isFiltered} />
    </div>
  )
}

interface FeedProps {
  readonly rows: readonly ActivityRow[] | null
  readonly isFiltered: boolean
}

function Feed({ rows, isFiltered }: FeedProps) {
  if (rows === null) return <Loading />
  if (rows.length === 0 && !isFiltered)
    return (
      <EmptyState title="No requests yet" command="paycli trigger payment.succeeded">
        <p>Requests of your application appear here with their events and deliveries.</p>
      </EmptyState>
    )
  if (rows.length === 0)
    return (
      <p class="quiet" role="status">
        Nothing that matches the filters has happened yet.
      </p>
    )
  return (
    <div class="panel live-list">
      <VirtualList
        label="Requests and their events, newest first"
        items={rows}
        keyOf={keyOf}
        render={renderRow}
      />
    </div>
  )
}

function keyOf({ key }: ActivityRow): string {
  return key
}

function renderRow(row: ActivityRow) {
  return row.kind === 'group' ? (
    <GroupRow group={row.group} />
  ) : (
    <EventRow event={row.event} deliveries={row.deliveries} />
  )
}

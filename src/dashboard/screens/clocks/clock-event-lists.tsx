import { useMemo } from 'preact/hooks'
import { formatCountWithNoun } from '../../../presentation/words.ts'
import { CopyText } from '../../components/copy-text.tsx'
import { DayList } from '../../components/day-list.tsx'
import { Loading, Panel } from '../../components/placeholders.tsx'
import { setFilters } from '../../data/use-filters.ts'
import { formatTime } from '../../format/format-time.ts'
import type { AxisEvent } from './axis-events.ts'
import { EventGroup } from './event-group.tsx'
import { groupByLane, groupsOfLanes, type LaneGroup } from './lanes.ts'
import { paymentTotals } from './payment-totals.ts'
import type { ClockData } from './use-clock.ts'

interface ClockListsProps {
  readonly data: ClockData
  readonly now: number
  /** The time after which past events are listed, in Unix seconds; null for all. */
  readonly since: number | null
}

/** Lists the past and the projected events of the axis as text. */
export function ClockEventLists({ data, now, since }: ClockListsProps) {
  return (
    <div class="columns">
      <PastEvents data={data} now={now} since={since} />
      <NextEvents data={data} now={now} />
    </div>
  )
}

function PastEvents({ data, now, since }: ClockListsProps) {
  const { past, isTruncated, clock } = data
  const isShown = ({ created }: AxisEvent) => since === null || created > since
  const shown = (past ?? []).filter(isShown)
  // Oldest first after an advance, otherwise newest first.
  const groups = useMemo(() => {
    // All events determine the lanes, because later events of a payment do not name its subscription.
    const all = groupsOfLanes(groupByLane(past ?? []))
    return since === null ? all.toReversed() : all.filter(({ group: { at } }) => at > since)
  }, [past, since])
  return (
    <Panel title="What happened">
      {since !== null && (
        <p class="row">
          <span>
            {formatTime(since)} to {formatTime(now)}: {formatCountWithNoun(shown.length, 'event')}
          </span>
          <button type="button" onClick={() => setFilters({ since: '' })}>
            Show all events
          </button>
        </p>
      )}
      <Totals events={shown} />
      {past === null ? (
        <Loading />
      ) : (
        groups.length === 0 && <NoPastEvents id={clock.data?.id ?? ''} since={since} />
      )}
      <GroupList groups={groups} now={now} key={since} />
      {isTruncated && since === null && (
        <p class="quiet">Older events of this clock are not shown here. paycli events list has them all.</p>
      )}
    </Panel>
  )
}

const PAGE_SIZE = 15

interface GroupListProps {
  readonly groups: readonly LaneGroup[]
  readonly now: number
}

function GroupList({ groups, now }: GroupListProps) {
  return (
    <DayList
      items={groups}
      timeOf={({ group }) => group.at}
      now={now}
      pageSize={PAGE_SIZE}
      render={(one) => <EventGroup key={one.group.key} {...one} />}
    />
  )
}

function NoPastEvents({ id, since }: { readonly id: string; readonly since: number | null }) {
  if (since !== null) return <p class="quiet">Nothing happened in this time.</p>
  return (
    <div class="stack">
      <p class="quiet">Nothing happened on this clock yet. Create a customer on it:</p>
      <CopyText text={`paycli customers create --email ada@example.com --test-clock ${id}`} />
    </div>
  )
}

function NextEvents({ data, now }: Omit<ClockListsProps, 'since'>) {
  const { past, projected, hasMoreProjected, clock } = data
  const groups = useMemo(
    () =>
      groupsOfLanes(groupByLane([...(past ?? []), ...projected])).filter(({ group }) => group.isProjected),
    [past, projected],
  )
  const status = clock.data?.status
  return (
    <Panel title="What comes next">
      {groups.length === 0 ? (
        <p class="quiet">
          {status === 'ready'
            ? 'Nothing is due on this clock: no renewal, retry, trial or expiry.'
            : 'The future of a clock is computed while it is ready.'}
        </p>
      ) : (
        <p class="quiet">Computed by the rules of billing for the case that only time passes.</p>
      )}
      <GroupList groups={groups} now={now} />
      {hasMoreProjected && <p class="quiet">More events follow later.</p>}
    </Panel>
  )
}

function Totals({ events }: { readonly events: readonly AxisEvent[] }) {
  const totals = paymentTotals(events)
  if (totals.length === 0) return null
  return (
    <ul class="row">
      {totals.map((text) => (
        <li key={text} class={`badge badge-${text.includes('failed') ? 'bad' : 'good'}`}>
          {text}
        </li>
      ))}
    </ul>
  )
}

import { useMemo } from 'preact/hooks'
import { formatCountWithNoun } from '../../../presentation/words.ts'
import { CopyText } from '../../components/copy-text.tsx'
import { DayList, DayListRow } from '../../components/day-list.tsx'
import { EventLine } from '../../components/event-line.tsx'
import { LoadNote, Panel } from '../../components/placeholders.tsx'
import { formatDateTime } from '../../format/format-time.ts'
import { setFilters } from '../../routing/router.ts'
import { type AxisEvent, formatPaymentTotals } from './axis-events.ts'
import { selectHeadlineEvents } from './event-headlines.ts'
import { LaneTitle } from './lane-filters.tsx'
import { type LaneTimeGroup, listLaneTimeGroups } from './lanes.ts'
import type { ClockData } from './use-clock-timeline.ts'

interface ClockListsProps {
  readonly data: ClockData
  readonly now: number
  /** The time in Unix seconds after which past events are listed; null lists all events. */
  readonly since: number | null
}

/** Lists the past and the projected events of the axis as text. */
export function ClockEventLists(props: ClockListsProps) {
  const { lanes } = props.data
  const [past = [], next = []] = useMemo(() => {
    const all = listLaneTimeGroups(lanes)
    return [false, true].map((isNext) => all.filter(({ isProjected }) => isProjected === isNext))
  }, [lanes])
  return (
    <div class="columns">
      <PastEvents {...props} all={past} />
      <NextEvents {...props} groups={next} />
    </div>
  )
}

function PastEvents({ data, now, since, all }: ClockListsProps & { readonly all: readonly LaneTimeGroup[] }) {
  const { past, isTruncated, clock } = data
  // After an advance, the oldest event comes first; otherwise the newest event comes first.
  const groups = since === null ? all.toReversed() : all.filter(({ at }) => at > since)
  const events = groups.flatMap((group) => group.events)
  return (
    <Panel title="Past events">
      {since !== null && (
        <p class="row">
          <span>
            {formatDateTime(since)} to {formatDateTime(now)}: {formatCountWithNoun(events.length, 'event')}
          </span>
          <button type="button" onClick={() => setFilters({ since: '' })}>
            Show all events
          </button>
        </p>
      )}
      <p class="row">
        {formatPaymentTotals(events).map((text) => (
          <span key={text} class={`badge long ${text.includes('failed') ? 'bad' : 'good'}`}>
            {text}
          </span>
        ))}
      </p>
      <LoadNote data={past} />
      {past !== null && groups.length === 0 && since !== null && (
        <p class="quiet">Nothing happened in this time.</p>
      )}
      {past !== null && groups.length === 0 && since === null && (
        <>
          <p class="quiet">Nothing happened on this clock yet. Create a customer on it:</p>
          <CopyText text={`paycli customers create --email ada@example.com --test-clock ${clock.data?.id}`} />
        </>
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
  readonly groups: readonly LaneTimeGroup[]
  readonly now: number
}

function GroupList({ groups, now }: GroupListProps) {
  return (
    <DayList
      items={groups}
      timeOf={({ at }) => at}
      now={now}
      pageSize={PAGE_SIZE}
      render={({ key, ...group }) => <EventGroup key={key} {...group} />}
    />
  )
}

/** Shows the events at one time in one lane: the headline events, and the other events collapsed. */
function EventGroup({ lane, events, ...group }: Omit<LaneTimeGroup, 'key'>) {
  const headline = selectHeadlineEvents(events)
  const rest = events.filter((event) => !headline.includes(event))
  const lineOf = (event: AxisEvent) => <EventLine {...event} key={event.key} />
  return (
    <DayListRow {...group}>
      <LaneTitle lane={lane} />
      {headline.map(lineOf)}
      {rest.length > 0 && (
        <details>
          <summary class="quiet small">{formatCountWithNoun(rest.length, 'more event')}</summary>
          {rest.map(lineOf)}
        </details>
      )}
    </DayListRow>
  )
}

function NextEvents({ data, now, groups }: ClockListsProps & GroupListProps) {
  const { hasMoreProjected, clock } = data
  return (
    <Panel title="Upcoming events">
      {groups.length === 0 ? (
        <p class="quiet">
          {clock.data?.status === 'ready'
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

import type { RefObject } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Event } from '../../../domain/events/events.ts'
import { formatCount } from '../../../presentation/words.ts'
import { FilterBar } from '../../components/filter-bar.tsx'
import { MoreButton } from '../../components/list-view.tsx'
import { EmptyState, ErrorNote, LoadNote } from '../../components/placeholders.tsx'
import { type DeliveryStatesByEvent, isFailing } from '../../data/delivery-states.ts'
import { getScreenUrl, useFilters } from '../../routing/router.ts'
import { ActivityGroupRow, LiveEventRow } from './feed-rows.tsx'
import { filterActivity } from './filter-activity.ts'
import { type ActivityGroup, groupActivity } from './group-activity.ts'
import { useArrivalRates, useNewestDeliveries, usePausableFeed } from './use-live-data.ts'

const FIELDS = [
  { name: 'text', label: 'Text', placeholder: 'Path, event, id, email, amount' },
  { name: 'failed', label: 'Only failed', type: 'check' },
  { name: 'hide_get', label: 'Hide GET', type: 'check' },
] as const

/** Shows requests, their events and their deliveries in real time. */
export function LiveScreen() {
  const [isPaused, setPaused] = useState(false)
  const list = useRef<HTMLOListElement>(null)
  // New groups above the visible groups would move the page: not every browser keeps visible content in place.
  const isTopHidden = useTopHidden(list)
  const { events, requests } = usePausableFeed(isPaused || isTopHidden) ?? {}
  const { byEvent, hasEndpoint, isUndelivered, error } = useNewestDeliveries()
  const { values, isFiltered } = useFilters(['text', 'failed', 'hide_get'])
  const groups = useMemo(() => events && requests && groupActivity(events, requests), [events, requests])
  const { text, failed, hide_get } = values
  const shown = useMemo(
    () => groups && filterActivity(groups, { text, failed, hide_get }, byEvent),
    [groups, byEvent, text, failed, hide_get],
  )
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
      <Feed
        groups={shown ?? null}
        deliveries={byEvent}
        {...{ list, isTopHidden, isFiltered, isUndelivered }}
      />
    </div>
  )
}

/** Returns whether the user has scrolled below the top of an element. */
function useTopHidden(element: RefObject<HTMLElement | null>): boolean {
  const [isHidden, setHidden] = useState(false)
  useEffect(() => {
    const update = () => setHidden((element.current?.getBoundingClientRect().top ?? 0) < 0)
    window.addEventListener('scroll', update, { passive: true })
    return () => window.removeEventListener('scroll', update)
  }, [element])
  return isHidden
}

interface CountersProps {
  readonly deliveries: DeliveryStatesByEvent
  readonly hasEndpoint: boolean
}

/** Shows the rates of requests and events, and the number of failed deliveries. */
function ActivityCounters({ deliveries, hasEndpoint }: CountersProps) {
  const { events, requests } = useArrivalRates()
  const failed = [...deliveries.values()].flat().filter(isFailing).length
  return (
    <p class="row push">
      <span>
        <strong>{formatRate(requests)}</strong> requests/s
      </span>
      <span>
        <strong>{formatRate(events)}</strong> events/s
      </span>
      {hasEndpoint ? (
        <a
          href={getScreenUrl(['webhooks'], failed > 0 ? { status: 'failed' } : {})}
          class={failed > 0 ? 'bad' : ''}
        >
          <strong>{failed}</strong> failed {failed === 1 ? 'delivery' : 'deliveries'}
        </a>
      ) : (
        <span class="quiet">No webhook endpoint</span>
      )}
    </p>
  )
}

function formatRate(rate: number): string {
  return rate === 0 || rate >= 10 ? String(Math.round(rate)) : rate.toFixed(1)
}

interface FeedProps {
  readonly list: RefObject<HTMLOListElement | null>
  readonly isTopHidden: boolean
  readonly groups: readonly ActivityGroup[] | null
  readonly deliveries: DeliveryStatesByEvent
  readonly isUndelivered: (event: Event) => boolean
  readonly isFiltered: boolean
}

/** The number of groups per page. In a fast feed, more groups would be replaced before they are shown. */
const PAGE_SIZE = 40

function Feed({ list, isTopHidden, groups, deliveries, isUndelivered, isFiltered }: FeedProps) {
  const [shown, setShown] = useState(PAGE_SIZE)
  useEffect(() => {
    if (!isTopHidden) setShown(PAGE_SIZE)
  }, [isTopHidden])
  if (groups === null) return <LoadNote data={groups} />
  if (groups.length === 0 && !isFiltered)
    return (
      <EmptyState title="No requests yet" command="paycli trigger payment.succeeded">
        <p>Requests of your application appear here with their events and deliveries.</p>
      </EmptyState>
    )
  if (groups.length === 0)
    return (
      <p class="quiet" role="status">
        Nothing that matches the filters has happened yet.
      </p>
    )
  return (
    <>
      <ol ref={list} class="panel feed" aria-label="Requests and their events, newest first">
        {groups.slice(0, shown).map((group) => (
          <li key={group.key}>
            <ActivityGroupRow group={group} />
            {group.events.map((event) => (
              <LiveEventRow
                key={event.id}
                event={event}
                deliveries={deliveries.get(event.id) ?? []}
                isUndelivered={isUndelivered(event)}
              />
            ))}
          </li>
        ))}
      </ol>
      <MoreButton
        label={`Show more of ${formatCount(groups.length)}`}
        hasMore={groups.length > shown}
        onClick={() => setShown(shown + PAGE_SIZE)}
      />
    </>
  )
}

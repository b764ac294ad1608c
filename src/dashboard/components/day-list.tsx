import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { EventOutcome } from '../../domain/core/event-types.ts'
import { formatDate, formatDayDistance, formatTimeOfDay } from '../format/format-time.ts'
import { MoreButton } from './list-view.tsx'
import { OutcomeIcon } from './outcome-dot.tsx'

interface DayListProps<T> {
  /** The items in display order. */
  readonly items: readonly T[]
  /** Returns the time of an item in Unix seconds. */
  readonly timeOf: (item: T) => number
  /** The current time in Unix seconds, to which the days are compared. */
  readonly now: number | undefined
  /** The number of items that are shown initially, and that each click on the button adds. */
  readonly pageSize: number
  /** Renders an item as a list item. */
  readonly render: (item: T) => ComponentChildren
}

/** Shows the first items by day (UTC), with a button that shows more items. */
export function DayList<T>({ items, timeOf, now, pageSize, render }: DayListProps<T>) {
  const [shown, setShown] = useState(pageSize)
  const days = Map.groupBy(items.slice(0, shown), (item) => formatDate(timeOf(item)))
  const hidden = items.length - shown
  return (
    <>
      {[...days].map(([day, own]) => (
        <section key={day} class="stack tight" aria-label={day}>
          <h3>
            {day}{' '}
            {now !== undefined && <span class="quiet">{formatDayDistance(Date.parse(day) / 1000, now)}</span>}
          </h3>
          <ol class="stack">{own.map(render)}</ol>
        </section>
      ))}
      <MoreButton
        label={`Show ${Math.min(hidden, pageSize)} more of ${hidden}`}
        hasMore={hidden > 0}
        onClick={() => setShown(shown + pageSize)}
      />
    </>
  )
}

interface DayListItemProps {
  /** The time of the item in Unix seconds. */
  readonly at: number
  readonly outcome: EventOutcome
  readonly isProjected?: boolean
  readonly children: ComponentChildren
}

/** Shows the past or projected events at one time. */
export function DayListRow({ at, outcome, isProjected = false, children }: DayListItemProps) {
  return (
    <li class="entry">
      <time class="quiet small" dateTime={new Date(at * 1000).toISOString()}>
        {formatTimeOfDay(at)}
      </time>
      <OutcomeIcon outcome={outcome} isProjected={isProjected} />
      <div>{children}</div>
    </li>
  )
}

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { formatDate, formatDayDistance } from '../format/format-time.ts'

interface DayListProps<T> {
  /** In the order in which they are shown. */
  readonly items: readonly T[]
  /** Returns the time of an item in Unix seconds. */
  readonly timeOf: (item: T) => number
  /** The current time in Unix seconds, with which the days are compared. */
  readonly now: number | undefined
  /** The number of items that are shown at first, and with each press of the button. */
  readonly pageSize: number
  /** Returns the list item of an item. */
  readonly render: (item: T) => ComponentChildren
}

/** Shows the first items by day (UTC), with a button for more. */
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
      {hidden > 0 && (
        <button type="button" onClick={() => setShown(shown + pageSize)}>
          Show {Math.min(hidden, pageSize)} more of {hidden}
        </button>
      )}
    </>
  )
}

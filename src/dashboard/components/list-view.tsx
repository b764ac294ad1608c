import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { formatCountWithNoun, getPlural } from '../../presentation/words.ts'
import type { IdentifiedEntry, useList } from '../data/use-list.ts'
import { DataTable, type DataTableColumn } from './data-table.tsx'
import { LoadNote } from './placeholders.tsx'

interface ListViewProps<T extends IdentifiedEntry> {
  readonly list: ReturnType<typeof useList<T>>
  readonly columns: readonly DataTableColumn<T>[]
  /** The name of an object, such as `payment`. */
  readonly noun: string
  readonly isFiltered?: boolean
  /** The content that replaces an empty list without filters. */
  readonly empty: ComponentChildren
}

/** Shows a list: the number of its objects, its table, and a button that loads older objects. */
export function ListView<T extends IdentifiedEntry>({
  list,
  columns,
  noun,
  isFiltered,
  empty,
}: ListViewProps<T>) {
  const { items, error, hasMore, isReading, loadMore, reload } = list
  const isEmpty = items?.length === 0 && !hasMore && isFiltered !== true
  return (
    <>
      <LoadNote data={items} error={error} reload={reload} />
      {isEmpty && empty}
      {items !== null && !isEmpty && (
        <p class="quiet" role="status">
          {formatCountWithNoun(items.length, noun)}
          {hasMore && ' so far'}
          {isFiltered === true && ' with these filters'}
        </p>
      )}
      {items !== null && items.length > 0 && (
        <DataTable label={`Each ${noun}`} columns={columns} items={items} keyOf={({ id }) => id} />
      )}
      <MoreButton
        label={isReading ? 'Loading …' : `Load older ${getPlural(noun)}`}
        hasMore={hasMore}
        isBusy={isReading}
        onClick={loadMore}
      />
    </>
  )
}

interface MoreButtonProps {
  readonly label: string
  readonly hasMore: boolean
  readonly isBusy?: boolean
  readonly onClick: () => void
}

/** Shows a button that adds entries to a list. After the last entries, the button stays until it loses the focus. */
export function MoreButton({ label, hasMore, isBusy = false, onClick }: MoreButtonProps) {
  const [hasFocus, setFocus] = useState(false)
  if (!hasMore && !hasFocus) return null
  const isDisabled = isBusy || !hasMore
  const handlers = { onFocus: () => setFocus(true), onBlur: () => setFocus(false) }
  return (
    <button type="button" aria-disabled={isDisabled} onClick={isDisabled ? undefined : onClick} {...handlers}>
      {hasMore ? label : 'No more'}
    </button>
  )
}

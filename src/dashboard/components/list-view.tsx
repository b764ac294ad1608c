import type { ComponentChildren } from 'preact'
import { formatCountWithNoun, pluralOf } from '../../presentation/words.ts'
import type { useList, WithId } from '../data/use-list.ts'
import { type Column, DataTable } from './data-table.tsx'
import { MoreButton } from './more-button.tsx'
import { ErrorNote, Loading } from './placeholders.tsx'

interface ListViewProps<T extends WithId> {
  readonly list: ReturnType<typeof useList<T>>
  readonly columns: readonly Column<T>[]
  /** The name of an object, such as `payment`. */
  readonly noun: string
  readonly isFiltered?: boolean
  /** Shown in place of an empty list without filters. */
  readonly empty: ComponentChildren
}

/** Shows a list: its number of objects, its table, and a button that loads older objects. */
export function ListView<T extends WithId>({ list, columns, noun, isFiltered, empty }: ListViewProps<T>) {
  const { items, error, hasMore, isReading, loadMore, reload } = list
  const isEmpty = items?.length === 0 && !hasMore && isFiltered !== true
  return (
    <>
      {error !== null && <ErrorNote error={error} onRetry={reload} />}
      {items === null && error === null && <Loading />}
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
        label={isReading ? 'Loading …' : `Load older ${pluralOf(noun)}`}
        hasMore={hasMore}
        isBusy={isReading}
        onClick={loadMore}
      />
    </>
  )
}

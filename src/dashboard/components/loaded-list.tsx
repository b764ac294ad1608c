import type { ComponentChildren } from 'preact'
import type { LoadedList } from '../data/use-list.ts'
import { ErrorNote, Loading } from './states.tsx'

interface LoadedListProps {
  readonly list: LoadedList<unknown>
  /** The label of the button that reads older objects. */
  readonly more: string
  readonly children: ComponentChildren
}

/** Shows the rows of a list, its loading text or its error, and a button that loads older objects. */
export function LoadedListView({ list, more, children }: LoadedListProps) {
  const { items, error, hasMore, isReading, loadMore, reload } = list
  return (
    <>
      {error !== null && <ErrorNote error={error} onRetry={reload} />}
      {items === null && error === null && <Loading />}
      {children}
      {hasMore && (
        <button type="button" class="load-more" aria-disabled={isReading} onClick={loadMore}>
          {isReading ? 'Loading …' : more}
        </button>
      )}
    </>
  )
}

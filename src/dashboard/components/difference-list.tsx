import type { findDifferences } from '../format/differences.ts'
import { FactList } from './fact-list.tsx'
import { FieldValue } from './field-value.tsx'

interface DifferenceListProps {
  readonly differences: ReturnType<typeof findDifferences>
  /** Whether fields that repeat other fields are shown too. */
  readonly isFull?: boolean
}

/** Shows the changed fields of an event: `Status  active → past_due`. */
export function DifferenceList({ differences, isFull = false }: DifferenceListProps) {
  const shown = isFull ? differences : differences.filter(({ isMinor }) => !isMinor)
  if (shown.length === 0) return null
  return (
    <FactList
      class="differences stack tight"
      facts={shown.map(({ field, label, from, to }) => [
        label,
        <>
          <FieldValue value={from} />
          <span class="visually-hidden"> becomes </span>
          <span class="quiet" aria-hidden="true">
            →
          </span>
          <FieldValue value={to} />
        </>,
        field,
      ])}
    />
  )
}

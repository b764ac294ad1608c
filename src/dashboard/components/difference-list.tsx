import type { FieldDifference } from '../format/differences.ts'
import { FieldValue } from './field-value.tsx'

interface DifferenceListProps {
  readonly differences: readonly FieldDifference[]
  /** Whether fields that repeat others are shown too. */
  readonly isFull?: boolean
}

/** Shows the changed fields of an event: `Status  active → past_due`. */
export function DifferenceList({ differences, isFull = false }: DifferenceListProps) {
  const shown = isFull ? differences : differences.filter(({ isMinor }) => !isMinor)
  if (shown.length === 0) return null
  return (
    <dl class="differences stack tight">
      {shown.map(({ field, label, from, to }) => (
        <div key={field}>
          <dt title={field}>{label}</dt>
          <dd>
            <FieldValue value={from} />
            <span class="visually-hidden"> becomes </span>
            <span class="quiet" aria-hidden="true">
              →
            </span>
            <FieldValue value={to} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

import type { ComponentChildren } from 'preact'
import type { listEventDifferences } from '../format/differences.ts'
import { FieldValue } from './values.tsx'

interface FactListProps {
  readonly facts: readonly (readonly [name: string, value: ComponentChildren, tooltip?: string])[]
  /** The CSS class of the list (default: `stack`). */
  readonly class?: string
}

/** Shows a list of names with their values. */
export function FactList({ facts, class: look = 'stack' }: FactListProps) {
  return (
    <dl class={look}>
      {facts.map(([name, value, tooltip]) => (
        <div key={tooltip ?? name}>
          <dt title={tooltip}>
            <bdi>{name}</bdi>
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

interface DifferenceListProps {
  readonly differences: ReturnType<typeof listEventDifferences>
  /** Whether fields that repeat other fields are shown too. */
  readonly isFull?: boolean
}

/** Shows the changed fields of an event: `Status  active → past_due`. */
export function DifferenceList({ differences, isFull = false }: DifferenceListProps) {
  const shown = isFull ? differences : differences.filter(({ isMinor }) => !isMinor)
  if (shown.length === 0) return null
  return (
    <FactList
      class="differences"
      facts={shown.map(({ field, label, from, to }) => [
        label,
        <>
          <FieldValue value={from} />
          <span class="quiet" role="img" aria-label="becomes">
            →
          </span>
          <FieldValue value={to} />
        </>,
        field,
      ])}
    />
  )
}

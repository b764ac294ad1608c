import type { ComponentChildren } from 'preact'

interface FactListProps {
  readonly facts: readonly (readonly [name: string, value: ComponentChildren, tooltip?: string])[]
  /** The class of the list (default: stack). */
  readonly class?: string
}

/** Shows names with their values. */
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

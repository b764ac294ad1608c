import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { setFilters, useFilters } from '../routing/router.ts'

/** A filter of a screen; without `type` and `choices`, a text field. */
export interface FilterDefinition {
  /** The name in the query of the URL. */
  readonly name: string
  readonly label: string
  /**
   * The value of a `check` filter is '1' or ''. An `id` filter applies after Enter or when the field loses the focus.
   */
  readonly type?: 'date' | 'check' | 'id'
  /** The choices of a drop-down list; the value '' means all. */
  readonly choices?: FilterChoices
  readonly placeholder?: string
  /**
   * Whether the filter selects the subject of the screen. The button that removes all filters does not remove such a
   * filter.
   */
  readonly isScope?: boolean
}

interface FilterBarProps {
  readonly fields: readonly FilterDefinition[]
  readonly children?: ComponentChildren
}

/**
 * Shows the filters above a list, which are the query of the URL, and a button that removes the filters. On a phone, a
 * button shows and hides unused filters.
 */
export function FilterBar({ fields, children }: FilterBarProps) {
  const [isOpen, setOpen] = useState(false)
  const { values } = useFilters(fields.map(({ name }) => name))
  const used = fields.filter(({ name, isScope }) => isScope !== true && values[name] !== '')
  const clear = ({ currentTarget }: { readonly currentTarget: HTMLElement }) => {
    // Move the focus, because the focused button disappears.
    const controls = currentTarget.parentElement?.querySelectorAll<HTMLElement>('.fold, input, select') ?? []
    Array.from(controls)
      .find((control) => control.checkVisibility())
      ?.focus()
    setFilters(Object.fromEntries(used.map(({ name }) => [name, ''])))
  }
  return (
    <search class="row filters" aria-label="Filters">
      {fields.length > 1 && (
        <button type="button" class="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Filters
        </button>
      )}
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          isFolded={!isOpen && fields.length > 1 && field.isScope !== true && values[field.name] === ''}
        />
      ))}
      {used.length > 0 && (
        <button type="button" onClick={clear}>
          Clear filters
        </button>
      )}
      {children}
    </search>
  )
}

interface FieldProps {
  readonly field: FilterDefinition
  readonly value: string
}

function Field({ field, value, isFolded }: FieldProps & { readonly isFolded: boolean }) {
  const { name, label, type } = field
  const look = isFolded ? 'folded' : ''
  const change = (text: string) => setFilters({ [name]: text })
  if (type === 'check')
    return (
      <label class={`row ${look}`}>
        <input
          type="checkbox"
          checked={value !== ''}
          onChange={({ currentTarget }) => change(currentTarget.checked ? '1' : '')}
        />
        <span>{label}</span>
      </label>
    )
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control may be in a component.
    <label class={`stack filter ${look}`}>
      <span class="quiet small">{label}</span>
      {type === 'date' ? (
        <input type="date" value={value} onChange={({ currentTarget }) => change(currentTarget.value)} />
      ) : field.choices === undefined ? (
        <TextField field={field} value={value} />
      ) : (
        <Select choices={field.choices} value={value} onChange={change} />
      )}
    </label>
  )
}

const TYPING_MS = 200

function TextField({ field: { name, type, placeholder = '' }, value }: FieldProps) {
  const [typed, setTyped] = useState(value)
  // Back and Forward change the URL too.
  useEffect(() => setTyped((last) => (last.trim() === value ? last : value)), [value])
  useEffect(() => {
    if (type === 'id' || typed.trim() === value) return
    const timer = setTimeout(() => setFilters({ [name]: typed.trim() }), TYPING_MS)
    return () => clearTimeout(timer)
  }, [name, type, typed, value])
  return (
    <input
      type="search"
      value={typed}
      placeholder={placeholder}
      spellcheck={false}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      onChange={({ currentTarget }) => setFilters({ [name]: currentTarget.value.trim() })}
    />
  )
}

/** The value and the text of each choice. */
export type FilterChoices<V extends string = string> = readonly (readonly [value: V, text: string])[]

interface ChoicesProps<V extends string> {
  /** The name for assistive technology (default: the name of the surrounding label). */
  readonly label?: string
  readonly choices: FilterChoices<V>
  readonly value: V
  readonly onChange: (value: V) => void
}

/** Shows a few choices side by side and marks the selected choice. */
export function SegmentedControl<V extends string>({ label, choices, value, onChange }: ChoicesProps<V>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a flex box in all browsers.
    <div class="row" role="group" aria-label={label}>
      {choices.map(([one, text]) => (
        <button key={one} type="button" aria-pressed={one === value} onClick={() => onChange(one)}>
          {text}
        </button>
      ))}
    </div>
  )
}

/** Shows a selection list. A value that is not a choice is shown unchanged. */
export function Select({ label, choices, value, onChange }: ChoicesProps<string>) {
  const isKnown = choices.some(([choice]) => choice === value)
  return (
    <select value={value} aria-label={label} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      {(isKnown ? choices : [[value, value] as const, ...choices]).map(([choice, text]) => (
        <option key={choice} value={choice}>
          {text}
        </option>
      ))}
    </select>
  )
}

/** Returns the choices of a filter: all, and each value with its text (default: the value). */
export function createFilterChoices(
  values: readonly string[],
  textOf = (value: string) => value,
): FilterChoices {
  return [['', 'All'], ...values.map((value) => [value, textOf(value)] as const)]
}

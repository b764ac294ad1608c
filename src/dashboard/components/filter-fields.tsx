import type { ComponentChildren } from 'preact'

/** Shows the row of filters above a list. */
export function FilterBar({ children }: { readonly children: ComponentChildren }) {
  return (
    <search class="filters" aria-label="Filters">
      {children}
    </search>
  )
}

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

interface TextProps extends FieldProps {
  readonly placeholder?: string
  /** Whether the value is reported while it is typed, or when it is complete (default: `onInput`). */
  readonly reportsOn?: 'onInput' | 'onChange'
}

/** Shows a text filter. */
export function TextFilterField({
  label,
  value,
  onChange,
  placeholder = '',
  reportsOn = 'onInput',
}: TextProps) {
  const report = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
    onChange(currentTarget.value)
  return (
    <label class="filter">
      <span>{label}</span>
      <input
        type="search"
        value={value}
        placeholder={placeholder}
        spellcheck={false}
        {...{ [reportsOn]: report }}
      />
    </label>
  )
}

/** Shows a filter by a date such as `2026-01-31`. */
export function DateFilterField({ label, value, onChange }: FieldProps) {
  return (
    <label class="filter">
      <span>{label}</span>
      <input type="date" value={value} onChange={(event) => onChange(event.currentTarget.value)} />
    </label>
  )
}

/** Shows a filter that is on or off; its value is '1' or ''. */
export function CheckFilterField({ label, value, onChange }: FieldProps) {
  return (
    <label class="filter-check">
      <input
        type="checkbox"
        checked={value !== ''}
        onChange={(event) => onChange(event.currentTarget.checked ? '1' : '')}
      />
      <span>{label}</span>
    </label>
  )
}

interface ChoiceProps extends FieldProps {
  /** Value and text of each choice; '' means all. */
  readonly choices: readonly (readonly [value: string, text: string])[]
}

/** Shows a filter with a few possible values. */
export function ChoiceFilterField({ label, value, onChange, choices }: ChoiceProps) {
  return (
    <label class="filter">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {choices.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

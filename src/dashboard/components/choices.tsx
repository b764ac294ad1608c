/** The value and the text of each choice. */
export type Choices<V extends string = string> = readonly (readonly [value: V, text: string])[]

interface ChoicesProps<V extends string> {
  /** The name for assistive technology (default: that of the surrounding label). */
  readonly label?: string
  readonly choices: Choices<V>
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
export function choicesOf(values: readonly string[], textOf = (value: string) => value): Choices {
  return [['', 'All'], ...values.map((value) => [value, textOf(value)] as const)]
}

interface SegmentsProps<V extends string> {
  readonly label: string
  /** Value and text of each choice. */
  readonly choices: readonly (readonly [value: V, text: string])[]
  readonly value: V
  readonly onChange: (value: V) => void
}

/** Shows a few choices side by side, of which one is selected. */
export function SegmentedControl<V extends string>({ label, choices, value, onChange }: SegmentsProps<V>) {
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

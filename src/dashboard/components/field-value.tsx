import type { FieldText } from '../format/format-field.ts'
import { ObjectLink } from './links.tsx'

/** Shows the value of a field: ids are links, and the writing direction of other text is isolated. */
export function FieldValue({ value: { kind, text } }: { readonly value: FieldText }) {
  if (kind === 'id') return <ObjectLink id={text} />
  return <bdi class={kind === 'none' ? 'quiet' : 'clip'}>{text}</bdi>
}

import type { FieldText } from '../format/format-field.ts'
import { ObjectLink } from './links.tsx'

/** The value of a field: ids are links, and text from outside keeps its direction to itself. */
export function FieldValue({ value: { kind, text } }: { readonly value: FieldText }) {
  if (kind === 'id') return <ObjectLink id={text} />
  return <bdi class={kind === 'none' ? 'quiet' : 'clip'}>{text}</bdi>
}

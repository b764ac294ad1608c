import type { ComponentChildren } from 'preact'
import { parseJson } from '../../domain/core/json-object.ts'
import { isObjectId } from '../format/format-field.ts'
import { ObjectLink } from './values.tsx'

/** Matches a text, a name of a field, or another value in JSON. */
const VALUE = /("(?:\\.|[^"\\])*"(?:: )?|[^\s{}[\],]+)/

/** Shows JSON as an indented tree; ids of objects are links. Strings are rendered as text nodes, never as HTML. */
export function JsonView({ value }: { readonly value: unknown }) {
  return <Code>{JSON.stringify(value, null, 2).split(VALUE).map(showToken)}</Code>
}

function showToken(text: string, at: number) {
  // Between two values are brackets, commas and spaces.
  if (at % 2 === 0) return text
  if (!text.startsWith('"')) return <span class="accent">{text}</span>
  if (text.endsWith(': ')) return <span class="quiet">{text}</span>
  if (!isObjectId(text.slice(1, -1))) return <span class="good">{text}</span>
  return (
    <>
      "<ObjectLink id={text.slice(1, -1)} />"
    </>
  )
}

function Code({ children }: { readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll the JSON.
    <pre class="json" tabIndex={0}>
      {children}
    </pre>
  )
}

/** Shows the body of a request or a response: JSON as a tree, other texts and cut JSON as plain text. */
export function BodyView({ body }: { readonly body: string | null }) {
  if (body === null) return <p class="quiet">None.</p>
  if (body === '') return <p class="quiet">The body is empty.</p>
  const value = parseJson(body)
  if (typeof value === 'object') return <JsonView value={value} />
  return <Code>{body}</Code>
}

import { parseJson } from '../../domain/core/json-object.ts'
import { isObjectId } from '../format/format-field.ts'
import { ObjectLink } from './values.tsx'

/** Shows JSON as an indented tree; ids of objects are links. All text is a text node. */
export function JsonView({ value }: { readonly value: unknown }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it.
    <pre class="json" tabIndex={0}>
      <JsonNode value={value} indent="" />
    </pre>
  )
}

function JsonNode({ value, indent }: { readonly value: unknown; readonly indent: string }) {
  if (typeof value === 'string' && isObjectId(value))
    return (
      <>
        "<ObjectLink id={value} />"
      </>
    )
  if (typeof value !== 'object' || value === null)
    return <span class={typeof value === 'string' ? 'good' : 'accent'}>{JSON.stringify(value)}</span>
  const isList = Array.isArray(value)
  const entries = Object.entries(value)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (entries.length === 0) return <>{open + close}</>
  const inner = `${indent}  `
  return (
    <>
      {open}
      {entries.map(([name, child], at) => (
        <>
          {`\n${inner}`}
          {!isList && <span class="quiet">{`${JSON.stringify(name)}: `}</span>}
          <JsonNode value={child} indent={inner} />
          {at < entries.length - 1 && ','}
        </>
      ))}
      {`\n${indent}${close}`}
    </>
  )
}

/** Shows the body of a request or a response: JSON as a tree, other texts and cut JSON as plain text. */
export function BodyView({ body }: { readonly body: string | null }) {
  if (body === null) return <p class="quiet">None.</p>
  if (body === '') return <p class="quiet">The body is empty.</p>
  const value = parseJson(body)
  if (typeof value === 'object') return <JsonView value={value} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it.
    <pre class="json" tabIndex={0}>
      {body}
    </pre>
  )
}

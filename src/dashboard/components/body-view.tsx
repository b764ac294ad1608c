import { JsonView } from './json-view.tsx'

/** Shows the body of a request or a response: JSON as a tree, other texts and cut JSON as they are. */
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

/** Returns the value of a JSON text; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

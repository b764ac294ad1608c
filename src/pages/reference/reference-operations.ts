import type { OpenApiDocument } from '../../api/openapi/openapi.ts'
import type { OpenApiOperation, OpenApiParameter } from '../../api/openapi/openapi-paths.ts'
import type { OpenApiMedia, Referred } from '../../api/openapi/openapi-responses.ts'
import { EVENT_STREAM } from '../../api/openapi/openapi-streams.ts'
import { type Html, html } from '../markup/html.ts'
import { type Field, fieldList, fieldsOf, typeOf } from './reference-fields.ts'
import { inline } from './reference-layout.ts'

/** An operation with where it is. */
export interface PlacedOperation {
  readonly method: string
  readonly path: string
  readonly operation: OpenApiOperation
}

const JSON_TYPE = 'application/json'

/** The operations that stand under a heading. */
export function operationsUnder(tag: string, document: OpenApiDocument): PlacedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => ({ method, path, operation })),
  )
}

/** One operation: what it takes, what it answers, and how to try it. */
export function operationArticle(placed: PlacedOperation, document: OpenApiDocument): Html {
  const { method, path, operation } = placed
  return html`<article id="${operation.operationId}">
<h3><span class="verb ${method}">${method.toUpperCase()}</span><code>${path}</code></h3>
<p>${inline(operation.summary)}</p>
<p>${inline(operation.description)}</p>
${parameterList(operation, document)}
${bodyList(operation)}
<h4>Answers</h4>
<p>${answers(operation)}</p>
<h4>Try it</h4>
<pre tabindex="0"><code>${curlOf(placed, document)}</code></pre>
</article>
`
}

function parameterList(operation: OpenApiOperation, document: OpenApiDocument): Html | null {
  const parameters = parametersOf(operation, document)
  if (parameters.length === 0) return null
  const fields = parameters.map((parameter): Field => {
    const { name, schema, description } = parameter
    const place = parameter.in === 'header' ? 'as a header' : `in the ${parameter.in}`
    return { name, schema, description, place, note: parameter.required ? 'required' : undefined }
  })
  return html`<h4>Parameters</h4>${fieldList(fields)}`
}

/** The parameters of an operation, those it refers to as well. */
export function parametersOf(
  { parameters = [] }: OpenApiOperation,
  { components }: OpenApiDocument,
): OpenApiParameter[] {
  return parameters.flatMap((parameter: Referred<OpenApiParameter>) => {
    if (!('$ref' in parameter)) return [parameter]
    return components.parameters[parameter.$ref.split('/').at(-1) ?? ''] ?? []
  })
}

function bodyList({ requestBody }: OpenApiOperation): Html | null {
  const schema = requestBody?.content[JSON_TYPE]?.schema
  if (schema === undefined) return null
  const fields = fieldsOf(schema, true)
  return fields.length === 0 ? null : html`<h4>Body</h4>${fieldList(fields)}`
}

function answers({ responses }: OpenApiOperation): Html {
  const { 200: done, ...errors } = responses
  const content = done !== undefined && 'content' in done ? (done.content ?? {}) : {}
  const links = Object.keys(errors).map(
    (status) => html` <a href="/docs/errors#status-${status}">${status}</a>`,
  )
  return html`<code>200</code> with ${contentWords(content)}; an <a href="#object.error">error</a> with${links}.`
}

function contentWords(content: Readonly<Record<string, OpenApiMedia>>): Html {
  const events = Object.entries(content[EVENT_STREAM]?.['x-events'] ?? {})
  const schema = content[JSON_TYPE]?.schema
  if (events.length === 0) return schema === undefined ? html`nothing` : typeOf(schema)
  const names = events.map(
    ([name, data], index) => html`${index === 0 ? '' : ', '}<code>${name}</code> with ${typeOf(data)}`,
  )
  return html`server-sent events: ${names}`
}

function curlOf({ method, path, operation }: PlacedOperation, document: OpenApiDocument): string {
  const [server] = document.servers
  const id = parametersOf(operation, document).find(({ name }) => name === 'id')?.example ?? ''
  const body = operation.requestBody?.content[JSON_TYPE]?.example
  const { 200: done } = operation.responses
  const isStream = done !== undefined && 'content' in done && done.content?.[EVENT_STREAM] !== undefined
  const isBare = method === 'get' || body !== undefined
  return [
    `curl ${isStream ? '-N ' : ''}${isBare ? '' : `-X ${method.toUpperCase()} `}${server?.url ?? ''}${path.replace('{id}', id)}`,
    `-H "Authorization: Bearer $PAYCLI_API_KEY"`,
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]),
  ].join(' \\\n  ')
}

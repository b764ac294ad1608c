import type { OpenApiDocument } from '../../api/openapi/openapi.ts'
import type { OpenApiOperation, OpenApiParameter } from '../../api/openapi/openapi-paths.ts'
import type { OpenApiMedia, OrReference } from '../../api/openapi/openapi-responses.ts'
import { EVENT_STREAM } from '../../api/openapi/openapi-streams.ts'
import { type Html, html } from '../markup/html.ts'
import { fieldsOf, type ReferenceField, renderFieldList, renderType } from './reference-fields.ts'
import { renderInline } from './reference-layout.ts'

/** An operation with its method and path. */
export interface LocatedOperation {
  readonly method: string
  readonly path: string
  readonly operation: OpenApiOperation
}

const JSON_TYPE = 'application/json'

/** Returns the operations with a tag. */
export function operationsWithTag(tag: string, document: OpenApiDocument): LocatedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => ({ method, path, operation })),
  )
}

/** Renders an operation with its parameters, responses and a curl example. */
export function renderOperation(placed: LocatedOperation, document: OpenApiDocument): Html {
  const { method, path, operation } = placed
  return html`<article id="${operation.operationId}">
<h3><span class="verb ${method}">${method.toUpperCase()}</span><code>${path}</code></h3>
<p>${renderInline(operation.summary)}</p>
<p>${renderInline(operation.description)}</p>
${renderParameters(operation, document)}
${renderBody(operation)}
<h4>Responses</h4>
<p>${renderResponses(operation)}</p>
<h4>Example</h4>
<pre tabindex="0"><code>${createCurlExample(placed, document)}</code></pre>
</article>
`
}

function renderParameters(operation: OpenApiOperation, document: OpenApiDocument): Html | null {
  const parameters = parametersOf(operation, document)
  if (parameters.length === 0) return null
  const fields = parameters.map((parameter): ReferenceField => {
    const { name, schema, description } = parameter
    const location = parameter.in === 'header' ? 'as a header' : `in the ${parameter.in}`
    return { name, schema, description, location, note: parameter.required ? 'required' : undefined }
  })
  return html`<h4>Parameters</h4>${renderFieldList(fields)}`
}

/** Returns the parameters of an operation, including referenced ones. */
export function parametersOf(
  { parameters = [] }: OpenApiOperation,
  { components }: OpenApiDocument,
): OpenApiParameter[] {
  return parameters.flatMap((parameter: OrReference<OpenApiParameter>) => {
    if (!('$ref' in parameter)) return [parameter]
    return components.parameters[parameter.$ref.split('/').at(-1) ?? ''] ?? []
  })
}

function renderBody({ requestBody }: OpenApiOperation): Html | null {
  const schema = requestBody?.content[JSON_TYPE]?.schema
  if (schema === undefined) return null
  const fields = fieldsOf(schema, true)
  return fields.length === 0 ? null : html`<h4>Body</h4>${renderFieldList(fields)}`
}

function renderResponses({ responses }: OpenApiOperation): Html {
  const { 200: done, ...errors } = responses
  const content = done !== undefined && 'content' in done ? (done.content ?? {}) : {}
  const links = Object.keys(errors).map(
    (status) => html` <a href="/docs/errors#status-${status}">${status}</a>`,
  )
  return html`<code>200</code> with ${describeContent(content)}; an <a href="#object.error">error</a> with${links}.`
}

function describeContent(content: Readonly<Record<string, OpenApiMedia>>): Html {
  const events = Object.entries(content[EVENT_STREAM]?.['x-events'] ?? {})
  const schema = content[JSON_TYPE]?.schema
  if (events.length === 0) return schema === undefined ? html`nothing` : renderType(schema)
  const names = events.map(
    ([name, data], index) => html`${index === 0 ? '' : ', '}<code>${name}</code> with ${renderType(data)}`,
  )
  return html`server-sent events: ${names}`
}

function createCurlExample({ method, path, operation }: LocatedOperation, document: OpenApiDocument): string {
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

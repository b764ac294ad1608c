import type { OpenApiDocument } from '../../api/openapi/openapi.ts'
import type { OpenApiOperation, OpenApiParameter } from '../../api/openapi/openapi-paths.ts'
import type { OpenApiMedia, OpenApiResponse } from '../../api/openapi/openapi-responses.ts'
import { STREAMS_TAG } from '../../api/openapi/openapi-streams.ts'
import { type Html, html } from '../markup/html.ts'
import { createCodeSamples, findBodyExample, type LocatedOperation } from './code-samples.ts'
import {
  createReferencePageResponse,
  type ReferenceResponse,
  removeFinalPeriod,
  renderInlineMarkdown,
  renderParagraphs,
} from './reference-layout.ts'
import { describeType, type FieldRow, listFields, resolveOpenApiReference } from './schema-fields.ts'

/** A resource with its operations; for webhooks, the path of each operation is an event type. */
export interface ReferenceResource {
  /** The last path segment of the page of the resource. */
  readonly name: string
  readonly title: string
  readonly description: string
  readonly operations: readonly LocatedOperation[]
}

/** Returns the resources of a document in document order, followed by the webhooks. */
export function listResources({ tags, paths, webhooks }: OpenApiDocument): readonly ReferenceResource[] {
  const located = [...Object.entries(paths), ...Object.entries(webhooks)].flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  return tags.map(({ name, description }) => ({
    name: name.toLowerCase().replaceAll(' ', '-'),
    title: name.replace(/^Api\b/, 'API'),
    description,
    operations: located.filter(({ operation }) => operation.tags.includes(name)),
  }))
}

/** Returns whether an operation is the delivery of an event, whose path is the event type. */
export function isEventDelivery({ path }: LocatedOperation): boolean {
  return !path.startsWith('/')
}

/** Returns the anchor of an operation on the page of its resource. */
export function getOperationAnchor(located: LocatedOperation): string {
  return isEventDelivery(located) ? located.path : located.operation.operationId
}

/** Returns the parameters of the path, the query and the headers of an operation. */
export function listParameters(operation: OpenApiOperation, document: OpenApiDocument): FieldRow[] {
  return (operation.parameters ?? []).map((one) => {
    const { name, schema, required, description } = resolveOpenApiReference<OpenApiParameter>(one, document)
    return {
      name,
      type: describeType(resolveOpenApiReference(schema, document)),
      isRequired: required,
      description,
    }
  })
}

/** Returns the fields of the JSON body of an operation. */
export function listBodyFields({ requestBody }: OpenApiOperation, document: OpenApiDocument): FieldRow[] {
  return listFields(requestBody?.content['application/json']?.schema ?? {}, document)
}

/** Renders links to the operations of a resource. */
export function renderOperationLinks({ name, operations }: ReferenceResource): Html {
  const rows = operations.map((located) => {
    const { method, path, operation } = located
    const what = isEventDelivery(located)
      ? path
      : html`${removeFinalPeriod(operation.summary)} <code><b>${method.toUpperCase()}</b> ${path}</code>`
    return html`<li><a href="/docs/api/${name}#${getOperationAnchor(located)}">${what}</a></li>\n`
  })
  return html`<ul class="operations">${rows}</ul>`
}

/** Renders the page of a resource: its operations and its objects. */
export function createResourcePageResponse(
  resource: ReferenceResource,
  document: OpenApiDocument,
): ReferenceResponse {
  const { title, description, operations } = resource
  const isWebhooks = operations.some(isEventDelivery)
  const objects = isWebhooks
    ? []
    : [...new Set(operations.flatMap((one) => responseNameOf(one)?.replace(LIST, '') ?? []))]
  const main = html`<section class="prose"><h1>${title}</h1>${renderParagraphs(description)}</section>
<nav aria-label="Operations">${renderOperationLinks(resource)}</nav>
${operations.map((one) => (isEventDelivery(one) ? renderDelivery(one, document) : renderOperation(one, document)))}
${objects.map((name) => renderObject(name, document))}`
  return createReferencePageResponse({ title: `${title} · paycli`, main, hasScript: !isWebhooks })
}

function renderOperation(located: LocatedOperation, document: OpenApiDocument): Html {
  const { method, path, operation } = located
  const anchor = getOperationAnchor(located)
  const samples = createCodeSamples(located, document.servers[0]?.url ?? '')
  const example = exampleOf(successMediaOf(operation), document)
  if (example !== null) samples.push(['Response', JSON.stringify(example, null, 2)])
  const returned = responseNameOf(located)
  const object = returned?.replace(LIST, '')
  const body = findBodyExample(operation)
  const attempt =
    !operation.tags.includes(STREAMS_TAG) &&
    html`<details class="try" data-method="${method.toUpperCase()}" data-path="${path}" data-body="${method === 'post' && JSON.stringify(body ?? {}, null, 2)}" hidden><summary>Try it</summary></details>`
  return html`<section id="${anchor}"><h2>${removeFinalPeriod(operation.summary)}</h2>
<p class="request"><code><b>${method.toUpperCase()}</b> ${path}</code></p>
${renderParagraphs(operation.description)}
${object !== undefined && html`<p>Returns ${object !== returned && 'a list of '}<a href="#${object}"><code>${object}</code></a>.</p>`}
${renderFields('Parameters', listParameters(operation, document))}${renderFields('Body', listBodyFields(operation, document))}
${samples.map(([name, code]) => html`<details><summary>${name}</summary><pre><code>${code}</code></pre></details>\n`)}${attempt}</section>
`
}

function renderDelivery(located: LocatedOperation, document: OpenApiDocument): Html {
  const { path, operation } = located
  const example = exampleOf(operation.requestBody?.content['application/json'], document)
  return html`<section id="${path}"><h2><code>${path}</code></h2><p>${renderInlineMarkdown(operation.summary)}</p>${renderParagraphs(operation.description)}
<details><summary>Event</summary><pre><code>${JSON.stringify(example, null, 2)}</code></pre></details></section>
`
}

function renderObject(name: string, document: OpenApiDocument): Html {
  const schema = document.components.schemas[name] ?? {}
  return html`<section id="${name}"><h2>Object <code>${name}</code></h2>${renderParagraphs(String(schema['description'] ?? ''))}${renderFields('Fields', listFields(schema, document))}</section>
`
}

function renderFields(title: string, fields: readonly FieldRow[]): Html | null {
  if (fields.length === 0) return null
  const rows = fields.map(
    ({ name, type, isRequired, description }) =>
      html`<dt><code>${name}</code> <small>${type}${isRequired && title !== 'Fields' && ', required'}</small></dt><dd>${renderInlineMarkdown(description)}</dd>
`,
  )
  return html`<h3>${title}</h3><dl class="codes">${rows}</dl>`
}

function successMediaOf({ responses }: OpenApiOperation): OpenApiMedia | undefined {
  return (responses['200'] as OpenApiResponse | undefined)?.content?.['application/json']
}

/** Matches the end of the name of a list type. */
const LIST = /_list$/

/** Returns the name of the object or list that an operation returns; undefined when the result has no name. */
function responseNameOf({ operation }: LocatedOperation): string | undefined {
  const reference = successMediaOf(operation)?.schema['$ref']
  return typeof reference === 'string' ? reference.split('/').at(-1) : undefined
}

function exampleOf(media: OpenApiMedia | undefined, document: OpenApiDocument): unknown {
  const [reference] = Object.values(media?.examples ?? {})
  return reference === undefined
    ? null
    : (resolveOpenApiReference<{ value?: unknown }>(reference, document).value ?? null)
}

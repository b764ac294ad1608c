import { EVENT_DESCRIPTIONS } from '../../api/openapi/event-descriptions.ts'
import type { OpenApiDocument } from '../../api/openapi/openapi.ts'
import { DELIVERIES_TAG, eventName } from '../../api/openapi/openapi-webhooks.ts'
import type { JsonSchema } from '../../api/schema/json-schema.ts'
import { EVENT_TYPES } from '../../domain/event-types.ts'
import { type Html, html } from '../markup/html.ts'
import { fieldsOf, renderFieldList } from './reference-fields.ts'
import { type ReferencePage, renderInline, renderProse, renderReferencePage } from './reference-layout.ts'
import { operationsWithTag, parametersOf, renderOperation } from './reference-operations.ts'
import { renderTestCardTable } from './test-card-table.ts'

/** Renders the API reference from the OpenAPI document. */
export function renderReference(document: OpenApiDocument): ReferencePage {
  const { info, tags } = document
  const main = html`<nav class="contents" aria-label="Contents">${renderContents(document)}</nav>
<div class="body">
<section id="top">
<h1>${info.title} ${info.version}</h1>
<p>${info.summary} See also the <a href="/openapi.json">OpenAPI 3.1 document</a> and the <a href="/docs/errors">errors</a>.</p>
${renderProse(info.description)}
</section>
${tags.map((tag) => renderSection(tag, document))}
<section id="test-cards">
<h2>Test cards</h2>
<p>Use any future expiry and any security code. Other card numbers are declined and not stored.</p>
${renderTestCardTable()}
</section>
<section id="objects">
<h2>Objects</h2>
${objectNames(document).map((name) => renderObject(name, document))}
</section>
</div>`
  return renderReferencePage({ title: `${info.title} API reference`, shape: 'reference', main })
}

/** Renders the page at the root of the API's address. */
export function renderWelcome({ info }: OpenApiDocument): ReferencePage {
  const main = html`<section class="prose">
<h1>${info.title} ${info.version}</h1>
<p>${info.summary} No real money moves.</p>
<ul>
<li><a href="/docs">API reference</a></li>
<li><a href="/docs/errors">Errors</a></li>
<li><a href="/openapi.json">OpenAPI document</a></li>
<li><a href="/healthz">Health check</a></li>
</ul>
</section>`
  return renderReferencePage({ title: info.title, shape: 'plain', main })
}

type Tag = OpenApiDocument['tags'][number]

function renderContents(document: OpenApiDocument): Html {
  const entries = document.tags.map(({ name }) => {
    const operations = operationsWithTag(name, document).map(
      ({ operation: { operationId = '' } }) =>
        html`<li><a href="#${operationId}">${operationId.split('.')[1]}</a></li>`,
    )
    const inner = operations.length === 0 ? null : html`<ul>${operations}</ul>`
    return html`<li><a href="#${anchorOf(name)}">${name}</a>${inner}</li>
`
  })
  return html`<ul>${entries}<li><a href="#test-cards">Test cards</a></li><li><a href="#objects">Objects</a></li></ul>`
}

function anchorOf(tag: string): string {
  return tag.toLowerCase().replaceAll(' ', '-')
}

function renderSection({ name, description }: Tag, document: OpenApiDocument): Html {
  const operations = operationsWithTag(name, document)
  return html`<section id="${anchorOf(name)}">
<h2>${name}</h2>
<p>${renderInline(description)}</p>
${name === DELIVERIES_TAG ? renderEvents(document) : operations.map((each) => renderOperation(each, document))}
</section>
`
}

function renderEvents(document: OpenApiDocument): Html {
  const { post: delivery } = document.webhooks[EVENT_TYPES[0]] ?? {}
  const headers = delivery === undefined ? [] : parametersOf(delivery, document)
  const rows = EVENT_TYPES.map((type) => {
    const [when, action] = EVENT_DESCRIPTIONS[type]
    return html`<tr><td><a href="#object.${eventName(type)}"><code>${type}</code></a></td><td>${renderInline(when)}</td><td>${renderInline(action)}</td></tr>
`
  })
  return html`<article><h3>Headers</h3>${renderFieldList(headers)}</article>
<div class="wide" tabindex="0"><table><thead><tr><th>Event type</th><th>When it occurs</th><th>What to do</th></tr></thead><tbody>
${rows}</tbody></table></div>`
}

function objectNames({ components }: OpenApiDocument): string[] {
  return Object.keys(components.schemas).filter((name) => name !== 'error_code')
}

function renderObject(name: string, { components }: OpenApiDocument): Html {
  const schema: JsonSchema = components.schemas[name] ?? {}
  const example = components.examples[name]?.value
  const { description = '', enum: values } = schema as { description?: string; enum?: readonly string[] }
  const fields =
    values === undefined ? renderFieldList(fieldsOf(schema, false)) : html`<p>${values.join(' ')}</p>`
  return html`<article id="object.${name}">
<h3><code>${name}</code></h3>
<p>${renderInline(description)}</p>
<details><summary>${values === undefined ? 'Fields' : 'Values'}</summary>${fields}</details>
${example === undefined ? null : html`<details><summary>Example</summary><pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre></details>`}
</article>
`
}

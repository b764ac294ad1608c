import type { OpenApiDocument } from '../../api/openapi/openapi.ts'
import type { JsonSchema } from '../../api/schema/json-schema.ts'
import { type Html, html } from '../markup/html.ts'
import { testCardTable } from './reference-cards.ts'
import { fieldList, fieldsOf } from './reference-fields.ts'
import { inline, prose, type ReferencePage, referencePage } from './reference-layout.ts'
import { operationArticle, operationsUnder, parametersOf } from './reference-operations.ts'

/** The reference of the API, rendered from its own document. */
export function renderReference(document: OpenApiDocument): ReferencePage {
  const { info, tags } = document
  const main = html`<nav class="contents" aria-label="Contents">${contents(document)}</nav>
<div class="body">
<section id="top">
<h1>${info.title} ${info.version}</h1>
<p>${info.summary} Also as <a href="/openapi.json">OpenAPI 3.1</a>; the <a href="/docs/errors">errors</a> have a page of their own.</p>
${prose(info.description)}
</section>
${tags.map((tag) => section(tag, document))}
<section id="test-cards">
<h2>Test cards</h2>
<p>Any expiry that lies ahead and any security code will do. A number that is not here is declined and not kept.</p>
${testCardTable()}
</section>
<section id="objects">
<h2>Objects</h2>
${objectNames(document).map((name) => objectArticle(name, document))}
</section>
</div>`
  return referencePage({ title: `${info.title} API reference`, shape: 'reference', main })
}

/** What stands at the root of the API's address. */
export function renderWelcome({ info }: OpenApiDocument): ReferencePage {
  const main = html`<section class="prose">
<h1>${info.title} ${info.version}</h1>
<p>${info.summary} It runs on this machine, and no real money moves.</p>
<ul>
<li><a href="/docs">Reference of the API</a></li>
<li><a href="/docs/errors">Errors</a></li>
<li><a href="/openapi.json">OpenAPI document</a></li>
<li><a href="/healthz">Health</a></li>
</ul>
</section>`
  return referencePage({ title: info.title, shape: 'plain', main })
}

type Tag = OpenApiDocument['tags'][number]

function contents(document: OpenApiDocument): Html {
  const entries = document.tags.map(({ name }) => {
    const operations = operationsUnder(name, document).map(
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

function section({ name, description }: Tag, document: OpenApiDocument): Html {
  const operations = operationsUnder(name, document)
  return html`<section id="${anchorOf(name)}">
<h2>${name}</h2>
<p>${inline(description)}</p>
${operations.length === 0 ? deliveries(document) : operations.map((each) => operationArticle(each, document))}
</section>
`
}

// What endpoints are sent stands under a heading that has no operations.
function deliveries(document: OpenApiDocument): Html {
  const entries = Object.entries(document.webhooks)
  const [first] = entries
  const headers = first?.[1]['post'] === undefined ? [] : parametersOf(first[1]['post'], document)
  const rows = entries.map(
    ([type]) =>
      html`<tr><td><code>${type}</code></td><td><a href="#object.event_${type.replace('.', '_')}">body</a></td></tr>
`,
  )
  return html`<article><h3>Headers</h3>${fieldList(headers)}</article>
<div class="wide" tabindex="0"><table><thead><tr><th>Type of event</th><th>What is posted</th></tr></thead><tbody>
${rows}</tbody></table></div>`
}

function objectNames({ components }: OpenApiDocument): string[] {
  return Object.keys(components.schemas).filter((name) => name !== 'error_code')
}

function objectArticle(name: string, { components }: OpenApiDocument): Html {
  const schema: JsonSchema = components.schemas[name] ?? {}
  const example = components.examples[name]?.value
  const { description = '', enum: values } = schema as { description?: string; enum?: readonly string[] }
  const fields = values === undefined ? fieldList(fieldsOf(schema, false)) : html`<p>${values.join(' ')}</p>`
  return html`<article id="object.${name}">
<h3><code>${name}</code></h3>
<p>${inline(description)}</p>
<details><summary>${values === undefined ? 'Fields' : 'Values'}</summary>${fields}</details>
${example === undefined ? null : html`<details><summary>Example</summary><pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre></details>`}
</article>
`
}

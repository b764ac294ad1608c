import type { OpenApiDocument } from '../../api/openapi/openapi.ts'
import { STATUS_DESCRIPTIONS } from '../../api/openapi/openapi-responses.ts'
import { ERROR_DEFINITIONS } from '../../api/schema/errors.ts'
import { html } from '../markup/html.ts'
import type { Guide } from './guides.ts'
import {
  createReferencePageResponse,
  type ReferenceResponse,
  renderInlineMarkdown,
  renderParagraphs,
} from './reference-layout.ts'
import { type ReferenceResource, renderOperationLinks } from './resource-pages.ts'

/** Renders the first page of the documentation: the guides, the operations by resource, the events and the conventions. */
export function createReferenceHomeResponse(
  { info }: OpenApiDocument,
  resources: readonly ReferenceResource[],
  guides: readonly Guide[],
): ReferenceResponse {
  const main = html`<section class="prose"><h1>paycli documentation</h1>
<p>${info.summary} <a href="/docs/errors">Errors</a>, <a href="#conventions">conventions</a>, <a href="/openapi.json">OpenAPI document</a>, <a href="/llms.txt">instructions for coding agents</a>.</p></section>
<nav aria-labelledby="guides"><h2 id="guides">Guides</h2><ul class="guides">${guides.map(({ name, title }) => html`<li><a href="/docs/guides/${name}">${title}</a></li>\n`)}</ul></nav>
<nav aria-labelledby="operations"><h2 id="operations">API</h2><div class="resources">${resources.map(
    (one) =>
      html`<section><h3><a href="/docs/api/${one.name}">${one.title}</a></h3>${renderOperationLinks(one)}</section>\n`,
  )}</div></nav>
<section class="prose"><h2 id="conventions">Conventions</h2>${renderParagraphs(info.description)}</section>`
  return createReferencePageResponse({ title: 'paycli documentation', main })
}

/** Renders the error reference, to which the `doc_url` of every error points. */
export function createErrorReferenceResponse(): ReferenceResponse {
  const sections = Object.entries(STATUS_DESCRIPTIONS).map(([status, meaning]) => {
    const rows = Object.entries(ERROR_DEFINITIONS)
      .filter(([, [usual]]) => usual === Number(status))
      .map(
        ([code, [, type, when]]) =>
          html`<dt id="${code}"><code>${code}</code></dt><dd>${renderInlineMarkdown(when)}</dd><dd><code>${type}</code></dd>
`,
      )
    const missing =
      status === '404' &&
      html`<p>Also <a href="#resource_missing"><code>resource_missing</code></a>, if the id is in the path.</p>`
    return html`<section id="status-${status}"><h2>${status}</h2><p>${meaning}</p>${missing}<dl class="codes">${rows}</dl></section>
`
  })
  return createReferencePageResponse({
    title: 'paycli errors',
    main: html`<section class="prose"><h1>Errors</h1>
<p>Every error response has one of these codes in <code>error.code</code>; <code>error.message</code> explains how to fix the error.</p></section>
${sections}`,
  })
}

/** Renders the page at the root URL of the API. */
export function createWelcomeResponse({
  title,
  version,
  summary,
}: Readonly<Record<'title' | 'version' | 'summary', string>>): ReferenceResponse {
  return createReferencePageResponse({
    title,
    main: html`<section class="prose">
<h1>${title} ${version}</h1>
<p>${summary} No real money moves.</p>
<ul>
<li><a href="/docs">Guides and API reference</a></li>
<li><a href="/docs/errors">Errors</a></li>
<li><a href="/openapi.json">OpenAPI document</a></li>
<li><a href="/llms.txt">Instructions for coding agents</a></li>
<li><a href="/healthz">Health check</a></li>
</ul>
</section>`,
  })
}

import { STATUS_DESCRIPTIONS } from '../../api/openapi/openapi-responses.ts'
import { ERRORS } from '../../api/schema/errors.ts'
import { type Html, html } from '../markup/html.ts'
import { cspHash } from '../view/assets.ts'
import { readBuiltFile } from '../view/built-file.ts'

/** The HTTP response of a reference page or its script. */
export interface ReferenceResponse {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The restrictions on the pages and the script of the reference. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Renders the API reference, which its script draws from `/docs/openapi.json`. */
export function renderReference(): ReferenceResponse {
  const body = html`<div id="reference"></div>
<script src="/docs/reference.js"></script>
<noscript>The API reference needs JavaScript. Without it, read the <a href="/docs/errors">errors</a> and the <a href="/openapi.json">OpenAPI document</a>.</noscript>`
  // Scalar sets style attributes, and inserts style elements whose text depends on the theme, so no hash can allow them.
  const policy = "script-src 'self'; connect-src 'self'; img-src 'self' data:; style-src 'unsafe-inline'"
  return createPage({ title: 'paycli API reference', body, policy, style: readBuiltFile('reference.css') })
}

/** Returns the script of the API reference: Scalar with its configuration. */
export function readReferenceScript(): ReferenceResponse {
  return {
    headers: { 'Content-Type': 'text/javascript; charset=utf-8', 'X-Content-Type-Options': 'nosniff' },
    body: readBuiltFile('reference.js'),
  }
}

/** Renders the error reference, to which the `doc_url` of every error points. */
export function renderErrorReference(): ReferenceResponse {
  const sections = Object.entries(STATUS_DESCRIPTIONS).map(([status, meaning]) => {
    const rows = Object.entries(ERRORS)
      .filter(([, [usual]]) => usual === Number(status))
      .map(
        ([code, [, type, when]]) =>
          html`<dt id="${code}"><code>${code}</code></dt><dd>${renderInline(when)}</dd><dd><code>${type}</code></dd>
`,
      )
    const missing =
      status === '404' &&
      html`<p>Also <a href="#resource_missing"><code>resource_missing</code></a>, if the id is in the path.</p>`
    return html`<section id="status-${status}"><h2>${status}</h2><p>${meaning}</p>${missing}<dl class="codes">${rows}</dl></section>
`
  })
  return createPlainPage(
    'paycli errors',
    html`<section class="prose"><h1>Errors</h1>
<p>Every error response has one of these codes in <code>error.code</code>; <code>error.message</code> explains how to fix the error.</p></section>
${sections}`,
  )
}

/** Renders the page at the root of the API's address. */
export function renderWelcome({
  title,
  version,
  summary,
}: Readonly<Record<'title' | 'version' | 'summary', string>>): ReferenceResponse {
  return createPlainPage(
    title,
    html`<section class="prose">
<h1>${title} ${version}</h1>
<p>${summary} No real money moves.</p>
<ul>
<li><a href="/docs">API reference</a></li>
<li><a href="/docs/errors">Errors</a></li>
<li><a href="/openapi.json">OpenAPI document</a></li>
<li><a href="/llms.txt">Instructions for coding agents</a></li>
<li><a href="/healthz">Health check</a></li>
</ul>
</section>`,
  )
}

/** Returns a page that loads no resources and runs no scripts. */
function createPlainPage(title: string, main: Html): ReferenceResponse {
  const style = readBuiltFile('plain.css')
  const body = html`<header class="top"><a class="brand" href="/docs">paycli</a><span class="badge">Test mode</span></header>
<main class="plain">
${main}
</main>
<footer class="foot">paycli. No real money moves.</footer>`
  return createPage({ title, body, policy: `style-src ${cspHash(style)}`, style })
}

interface ReferencePage {
  readonly title: string
  readonly body: Html
  /** The directives of the content security policy that allow the resources of the page. */
  readonly policy: string
  readonly style: string
}

function createPage({ title, body, policy, style }: ReferencePage): ReferenceResponse {
  const head = html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>`
  return {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `${CONTENT_SECURITY_POLICY}; ${policy}`,
      'Referrer-Policy': 'no-referrer',
    },
    // The style is inserted unescaped.
    body: `<!doctype html>\n<html lang="en">\n<head>\n${head}\n<style>${style}</style>\n</head>\n<body>\n${body}\n</body>\n</html>\n`,
  }
}

/** Renders text with `code` in backquotes. */
function renderInline(text: string): Html {
  const parts = text.split('`')
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`
}

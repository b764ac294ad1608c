import { errorCodesOf, STATUS_DESCRIPTIONS } from '../../api/openapi/openapi-responses.ts'
import { ERRORS } from '../../api/schema/errors.ts'
import { html } from '../markup/html.ts'
import { type ReferencePage, renderInline, renderReferencePage } from './reference-layout.ts'

/** Renders the error reference, to which the `doc_url` of every error points. */
export function renderErrorReference(): ReferencePage {
  const sections = Object.entries(STATUS_DESCRIPTIONS).flatMap(([status, meaning]) => {
    // `resource_missing` has two statuses but one entry.
    const codes = errorCodesOf(Number(status)).filter(([code]) => ERRORS[code]?.[0] === Number(status))
    const missing =
      Number(status) === 404
        ? html`<p>Also <a href="#resource_missing"><code>resource_missing</code></a>, if the id is in the path.</p>`
        : null
    const rows = codes.map(
      ([code, when]) =>
        html`<dt id="${code}"><code>${code}</code></dt><dd>${renderInline(when)}</dd><dd><code>${ERRORS[code]?.[1]}</code></dd>
`,
    )
    if (rows.length === 0 && missing === null) return []
    return [
      html`<section id="status-${status}"><h2>${status}</h2><p>${meaning}</p>${missing}<dl class="codes">${rows}</dl></section>
`,
    ]
  })
  const main = html`<section class="prose"><h1>Errors</h1>
<p>Every error response has one of these codes in <code>error.code</code>; <code>error.message</code> explains how to fix the error.</p></section>
${sections}`
  return renderReferencePage({ title: 'paycli errors', shape: 'plain', main })
}

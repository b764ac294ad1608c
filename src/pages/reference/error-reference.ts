import { codesOf, MEANINGS } from '../../api/openapi/openapi-responses.ts'
import { ERRORS } from '../../api/schema/errors.ts'
import { html } from '../markup/html.ts'
import { inline, type ReferencePage, referencePage } from './reference-layout.ts'

/** The reference that every error's `doc_url` points to, printed from the catalogue itself. */
export function renderErrorReference(): ReferencePage {
  const sections = Object.entries(MEANINGS).flatMap(([status, meaning]) => {
    // `resource_missing` comes with two statuses and has one place.
    const codes = codesOf(Number(status)).filter(([code]) => ERRORS[code]?.[0] === Number(status))
    const missing =
      Number(status) === 404
        ? html`<p>Also <a href="#resource_missing"><code>resource_missing</code></a>, when its id is in the path.</p>`
        : null
    const rows = codes.map(
      ([code, when]) =>
        html`<dt id="${code}"><code>${code}</code></dt><dd>${inline(when)}</dd><dd><code>${ERRORS[code]?.[1]}</code></dd>
`,
    )
    if (rows.length === 0 && missing === null) return []
    return [
      html`<section id="status-${status}"><h2>${status}</h2><p>${meaning}</p>${missing}<dl class="codes">${rows}</dl></section>
`,
    ]
  })
  const main = html`<section class="prose"><h1>Errors</h1>
<p>Every answer but 200 has one of these codes in <code>error.code</code>; <code>error.message</code> says what to try next.</p></section>
${sections}`
  return referencePage({ title: 'Errors of paycli', shape: 'plain', main })
}

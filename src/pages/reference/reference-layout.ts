import { createHash } from 'node:crypto'
import { type Html, html } from '../markup/html.ts'
import { STYLES } from '../view/styles.ts'
import { REFERENCE_STYLES } from './reference-styles.ts'

/** The HTTP response of a reference page. */
export interface ReferencePage {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const STYLE = STYLES + REFERENCE_STYLES
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
}

/** Renders a page of the reference, which loads no resources and runs no scripts. */
export function renderReferencePage(content: {
  readonly title: string
  /** `reference` shows the table of contents next to the text on wide screens. */
  readonly shape: 'reference' | 'plain'
  readonly main: Html
}): ReferencePage {
  const head = html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${content.title}</title>`
  const body = html`<header class="top"><a class="brand" href="/docs">paycli</a><span class="badge">Test mode</span></header>
<main class="${content.shape}">
${content.main}
</main>
<footer class="foot">paycli. No real money moves.</footer>`
  // The style is inserted unescaped; the Content-Security-Policy allows it by its hash.
  return {
    headers: HEADERS,
    body: `<!doctype html>\n<html lang="en">\n<head>\n${head}\n<style>${STYLE}</style>\n</head>\n<body>\n${body}\n</body>\n</html>\n`,
  }
}

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*/g

/** Renders text with `code` and **strong** words. */
export function renderInline(text: string): Html {
  const parts: Html[] = []
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, strong] = match
    parts.push(html`${text.slice(end, match.index)}`)
    parts.push(code === undefined ? html`<strong>${strong}</strong>` : html`<code>${code}</code>`)
    end = match.index + whole.length
  }
  return html`${parts}${text.slice(end)}`
}

/** Renders paragraphs and lists of a description. */
export function renderProse(text: string): Html {
  const blocks = text.split('\n\n').map((block) => {
    const lines = block.split('\n')
    if (!lines.every((line) => line.startsWith('- '))) return html`<p>${renderInline(block)}</p>`
    return html`<ul>${lines.map((line) => html`<li>${renderInline(line.slice(2))}</li>`)}</ul>`
  })
  return html`<div class="prose">${blocks}</div>`
}

import { type Html, html } from '../markup/html.ts'
import { createCspHash, renderFavicon } from '../view/assets.ts'
import { readBuiltFile } from '../view/built-file.ts'

/** The HTTP response of a reference page. */
export interface ReferenceResponse {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface ReferencePage {
  readonly title: string
  readonly main: Html
  /** The value of the search field. */
  readonly query?: string
  /** Whether the page has the script that sends requests. */
  readonly hasScript?: boolean
}

/** Returns a page that loads no resources. Style and script are inline, and the content security policy allows only these. */
export function createReferencePageResponse({
  title,
  main,
  query = '',
  hasScript = false,
}: ReferencePage): ReferenceResponse {
  const style = readBuiltFile('plain.css')
  const script = hasScript ? readBuiltFile('reference.js') : ''
  const scriptPolicy = hasScript ? `; script-src ${createCspHash(script)}; connect-src 'self'` : ''
  const head = html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${renderFavicon(null)}`
  const body = html`<header class="top"><a class="brand" href="/docs">paycli</a>
<form class="search" action="/docs/search" role="search"><input type="search" name="q" value="${query}" maxlength="100" aria-label="Search the documentation" placeholder="Search"></form></header>
<main class="plain">
${main}
</main>
<footer class="foot">paycli. No real money moves.</footer>`
  return {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; img-src data:; style-src ${createCspHash(style)}${scriptPolicy}`,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    },
    // Style and script are inserted unescaped.
    body: `<!doctype html>\n<html lang="en">\n<head>\n${head}\n<style>${style}</style>\n</head>\n<body>\n${body}\n${hasScript ? `<script>${script}</script>\n` : ''}</body>\n</html>\n`,
  }
}

/** Renders text with code in backticks and bold text in pairs of asterisks. */
export function renderInlineMarkdown(text: string): Html {
  const parts = text.split(/`([^`]*)`|\*\*([^*]*)\*\*/)
  return html`${parts.map((part, index) => {
    if (index % 3 === 0) return part
    return part && (index % 3 === 1 ? html`<code>${part}</code>` : html`<b>${part}</b>`)
  })}`
}

/** Renders the paragraphs of a text; empty lines separate the paragraphs. */
export function renderParagraphs(text: string): Html {
  return html`${text.split('\n\n').map((paragraph) => html`<p>${renderInlineMarkdown(paragraph)}</p>\n`)}`
}

/** Returns a summary as a title, without the final period. */
export function removeFinalPeriod(summary: string): string {
  return summary.replace(/\.$/, '')
}

import type { Language } from '../languages/language.ts'
import { type Html, type HtmlValue, html } from '../markup/html.ts'
import { FAVICON, LIVE_ELEMENT, SCRIPT_ELEMENT, STYLE_ELEMENT } from './assets.ts'
import type { View } from './view.ts'

/** What differs between pages. */
export interface PageContent {
  /** The page's name in the browser's tab. */
  readonly title: string
  readonly main: Html
  /** `split` puts the order beside the form where there is room. */
  readonly shape: 'split' | 'narrow'
  readonly hasForm?: boolean
  /** What the browser opens by itself. */
  readonly leadsTo?: Lead
}

/** Where a page leads by itself, and after how long: at once, or as often as it looks whether that is another page. */
export interface Lead {
  readonly url: string
  readonly afterSeconds: number
}

const MAX_SHOWN_CHARACTERS = 160

const LOCK = html`<svg viewBox="0 0 20 20" fill="currentColor" aria-hidden="true"><path d="M10 1.5A4.5 4.5 0 0 0 5.5 6v2H5a2 2 0 0 0-2 2v6.5a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V10a2 2 0 0 0-2-2h-.5V6A4.5 4.5 0 0 0 10 1.5zM7.5 8V6a2.5 2.5 0 0 1 5 0v2z"/></svg>`

/** Where the foot of every page begins; nothing that is escaped can look like it. */
const FOOT = html`<footer class="foot">`

/** A page with more below what it is about. */
export function withBelow(body: string, more: Html): string {
  return body.replace(FOOT.toString(), () => `${more}${FOOT}`)
}

/** A whole document around the content of one page. */
export function layout(
  { title, main, shape, hasForm, leadsTo }: PageContent,
  { links, language, business }: View,
): string {
  const { tag, direction, say } = language
  // A redirect after a POST would fall under form-action 'self'; a refresh is a navigation of its own.
  const refresh =
    leadsTo && html`<meta http-equiv="refresh" content="${leadsTo.afterSeconds}; url=${leadsTo.url}">`
  // With scripts a page that waits stays as it is until there is something else: nobody is read it again and again.
  const waiting = leadsTo !== undefined && leadsTo.afterSeconds > 0 ? leadsTo : null
  return html`<!doctype html>
<html lang="${tag}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${waiting === null ? refresh : html`<noscript>${refresh}</noscript>`}
${STYLE_ELEMENT}
<link rel="icon" type="image/svg+xml" href="${links.asset(FAVICON.name)}">
</head>
<body${waiting && html` data-next="${waiting.url}" data-every="${waiting.afterSeconds}"`}>
<header class="${business === null ? 'top' : 'top named'}"><span class="brand">${LOCK}${say('checkout')}</span><span class="badge">${say('testMode')}</span>${askedBy(business, language)}</header>
<main class="${shape}">
${main}
</main>
${FOOT}${say('footer')}</footer>
${hasForm && SCRIPT_ELEMENT}
${waiting && LIVE_ELEMENT}
</body>
</html>
`.toString()
}

/** Text of a merchant or a buyer, kept from turning the text around it about. */
export function isolated(text: string): Html {
  return html`<bdi dir="auto">${text}</bdi>`
}

/** The line that says who asks to be paid, where that is known. */
export function askedBy(who: string | null, { phrase }: Language): Html | null {
  return who === null ? null : html`<p class="asker">${phrase('requestedBy', { host: isolated(who) })}</p>`
}

/** The beginning of a text of a merchant that may be long. */
export function shortened(text: string): Html {
  const characters = [...text]
  if (characters.length <= MAX_SHOWN_CHARACTERS) return isolated(text)
  return isolated(`${characters.slice(0, MAX_SHOWN_CHARACTERS).join('').trimEnd()}…`)
}

/** A list of names and values, such as `Amount` and `€12.50`; pairs that are nothing are left out. */
export function facts(pairs: readonly (readonly [name: string, value: HtmlValue] | null)[]): Html {
  const rows = pairs.flatMap((pair) =>
    pair === null ? [] : [html`<div><dt>${pair[0]}</dt><dd>${pair[1]}</dd></div>`],
  )
  return html`<dl class="facts">${rows}</dl>`
}

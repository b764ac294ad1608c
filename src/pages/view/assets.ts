import { createHash } from 'node:crypto'
import { Html, html } from '../markup/html.ts'
import { readBuiltFile } from './built-file.ts'

const ICON = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='8' fill='#2a52cc'/><path d='M7 12h18v10a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2zm0-2a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2z' fill='#fff'/><path d='M7 12h18v3H7z' fill='#2a52cc'/></svg>`

/** The icon of pages without a logo, inline like the style. Only `#` needs an escape in a quoted data URL. */
const ICON_ELEMENT = new Html(
  `<link rel="icon" type="image/svg+xml" href="data:image/svg+xml,${ICON.replaceAll('#', '%23')}">`,
)

/** Returns the element of the icon in the browser tab: the logo of the merchant, or that of paycli. */
export function iconElement(logo: string | null): Html {
  return logo === null ? ICON_ELEMENT : html`<link rel="icon" href="${logo}">`
}

const STYLE = readBuiltFile('page.css')
const FORM_SCRIPT = readBuiltFile('form.js')
const LIVE_SCRIPT = readBuiltFile('live.js')
const PRINT_SCRIPT = readBuiltFile('print.js')
const LANGUAGE_SCRIPT = readBuiltFile('language.js')

/** The inline stylesheet of every page, so that a page needs no second request to render. */
export const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`)

/** The script of every page with a form. */
export const SCRIPT_ELEMENT = new Html(`<script>${FORM_SCRIPT}</script>`)

/** The script of every page that updates itself. */
export const LIVE_ELEMENT = new Html(`<script>${LIVE_SCRIPT}</script>`)

/** The script of every page with a print button. */
export const PRINT_ELEMENT = new Html(`<script>${PRINT_SCRIPT}</script>`)

/** The script of the language form in the footer. */
export const LANGUAGE_ELEMENT = new Html(`<script>${LANGUAGE_SCRIPT}</script>`)

/** The hashes of the inline style and scripts for the content security policy, which blocks all others. */
export const CSP_SOURCES = {
  style: cspHash(STYLE),
  scripts: [FORM_SCRIPT, LIVE_SCRIPT, PRINT_SCRIPT, LANGUAGE_SCRIPT].map(cspHash),
}

const START_CHARACTERS = 64

const ASSETS = [STYLE_ELEMENT, SCRIPT_ELEMENT, LIVE_ELEMENT].map((element) => {
  const text = element.toString()
  // Finds the element: escaped text contains no tag, and a search for all of it compares every character.
  return { start: text.slice(0, START_CHARACTERS), length: text.length, bytes: Buffer.from(text) }
})

/** Encodes a page. Its style and scripts, which are most of its text, are encoded only once. */
export function encodePage(body: string): Buffer {
  const chunks: Buffer[] = []
  let end = 0
  for (const { start, length, bytes } of ASSETS) {
    const at = body.indexOf(start, end)
    if (at === -1) continue
    chunks.push(Buffer.from(body.slice(end, at)), bytes)
    end = at + length
  }
  return Buffer.concat([...chunks, Buffer.from(body.slice(end))])
}

/** Returns the source of an inline style or script for a content security policy. */
export function cspHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

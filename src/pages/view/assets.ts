import { createHash } from 'node:crypto'
import { createConstantHtml, type Html, html } from '../markup/html.ts'
import { readBuiltFile } from './built-file.ts'

const ICON = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='8' fill='#2a52cc'/><path d='M7 12h18v10a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2zm0-2a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2z' fill='#fff'/><path d='M7 12h18v3H7z' fill='#2a52cc'/></svg>`

/** The icon of pages without a logo, inline like the style. In a quoted data URL, only `#` must be escaped. */
const ICON_ELEMENT = createConstantHtml(
  `<link rel="icon" type="image/svg+xml" href="data:image/svg+xml,${ICON.replaceAll('#', '%23')}">`,
)

/** Returns the element with the icon of the browser tab: the logo of the merchant, or the icon of paycli. */
export function renderFavicon(logo: string | null): Html {
  return logo === null ? ICON_ELEMENT : html`<link rel="icon" href="${logo}">`
}

/** The stylesheet of every page, which is inline so that a page needs no second request to render. */
export const PAGE_STYLE = createInlineAsset('style', readBuiltFile('page.css'))

/** The script of every page with a form. */
export const FORM_SCRIPT = createInlineAsset('script', readBuiltFile('form.js'))

/** The script of every page that updates itself. */
export const LIVE_SCRIPT = createInlineAsset('script', readBuiltFile('live.js'))

/** The script of every page, for the language form in the footer and the print button. */
export const PAGE_SCRIPT = createInlineAsset('script', readBuiltFile('page.js'))

/** An inline style or script. */
export interface InlineAsset {
  readonly element: Html
  /** The hash for the content security policy, which blocks all other styles and scripts. */
  readonly source: string
}

/** Returns the element and the hash of an inline style or script. */
export function createInlineAsset(tag: 'style' | 'script', text: string): InlineAsset {
  return { element: createConstantHtml(`<${tag}>${text}</${tag}>`), source: createCspHash(text) }
}

/** Returns the source expression of an inline style or script for a content security policy. */
export function createCspHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

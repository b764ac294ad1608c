import type { Language } from '../languages/language.ts'
import { type Html, html } from '../markup/html.ts'
import { isolateText } from './isolate-text.ts'
import type { PageView } from './page-view.ts'

const LOCK = html`<svg viewBox="0 0 20 20" fill="currentColor" aria-hidden="true"><path d="M10 1.5A4.5 4.5 0 0 0 5.5 6v2H5a2 2 0 0 0-2 2v6.5a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V10a2 2 0 0 0-2-2h-.5V6A4.5 4.5 0 0 0 10 1.5zM7.5 8V6a2.5 2.5 0 0 1 5 0v2z"/></svg>`

/** Returns the header of a page. */
export function pageHeader({ brand: { name }, language }: PageView): Html {
  const { t } = language
  return html`<header class="${name === null ? 'top' : 'top named'}"><span class="brand">${LOCK}${t('checkout')}</span>${merchantLine(name, language)}</header>`
}

/** Returns the line with the merchant's name, or null when it is unknown. */
export function merchantLine(name: string | null, { tMarkup }: Language): Html | null {
  return name === null
    ? null
    : html`<p class="merchant">${tMarkup('requestedBy', { host: isolateText(name) })}</p>`
}

import { type Html, html, isolateTextDirection } from '../markup/html.ts'
import type { PageBrand, PageView } from './page-view.ts'

const LOCK = html`<svg viewBox="0 0 20 20" fill="currentColor" aria-hidden="true"><path d="M10 1.5A4.5 4.5 0 0 0 5.5 6v2H5a2 2 0 0 0-2 2v6.5a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V10a2 2 0 0 0-2-2h-.5V6A4.5 4.5 0 0 0 10 1.5zM7.5 8V6a2.5 2.5 0 0 1 5 0v2z"/></svg>`

/** Returns the header of a page: the merchant's logo or monogram with the name, or a lock with the kind of page. */
export function renderPageHeader({ brand, heading = 'checkout', language: { t } }: PageView): Html {
  const name = brand.name === null ? t(heading) : isolateTextDirection(brand.name)
  return html`<header class="top"><span class="brand">${brandMark(brand)}${name}</span></header>`
}

function brandMark({ logo, name }: PageBrand): Html {
  if (logo !== null) return html`<img class="logo" src="${logo}" alt="">`
  const letter = findMonogram(name ?? '')
  return letter === null ? LOCK : html`<span class="logo" aria-hidden="true">${letter}</span>`
}

/** Returns the first letter or digit of a name in upper case with its accents; null without a letter or digit. */
function findMonogram(name: string): string | null {
  const [letter] = /[\p{L}\p{N}]\p{M}*/u.exec(name) ?? []
  if (letter === undefined) return null
  const upper = letter.toUpperCase()
  // The upper case of some letters, such as ß, has more than one letter.
  return upper.length === letter.length ? upper : letter
}

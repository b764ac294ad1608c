import { createConstantHtml, html } from '../markup/html.ts'
import { readBuiltFile } from '../view/built-file.ts'
import { createReferencePageResponse, type ReferenceResponse } from './reference-layout.ts'

/** A guide, or the reference of the commands. */
export interface Guide {
  readonly name: string
  readonly title: string
  /** The contents, which the build converts from Markdown. */
  readonly html: string
}

/** Returns the guides, sorted by name, and then the reference of the commands. */
export function readGuides(): readonly Guide[] {
  return JSON.parse(readBuiltFile('guides.json'))
}

/** Renders the page of a guide. */
export function createGuideResponse(guide: Guide): ReferenceResponse {
  const main = html`<article class="prose"><h1>${guide.title}</h1>\n${createConstantHtml(guide.html)}</article>`
  return createReferencePageResponse({ title: `${guide.title} · paycli`, main })
}

import type { Language } from '../languages/language.ts'
import { type Html, html } from '../markup/html.ts'

/** Returns the lines of an order, which the style collapses on narrow screens. */
export function collapsibleLines(count: number, lines: Html, { plural, messages }: Language): Html {
  return html`<details class="fold"><summary>${plural(messages.showDetails, count)}</summary>${lines}</details>`
}

import { type Html, html } from '../markup/html.ts'

/** Isolates the writing direction of text from a merchant or customer. */
export function isolateText(text: string): Html {
  return html`<bdi dir="auto">${text}</bdi>`
}

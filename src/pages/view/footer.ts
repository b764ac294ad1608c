import { type Html, html } from '../markup/html.ts'
import type { PageView } from './page-view.ts'

/** The start of the footer. Escaped text can never contain it. */
const FOOTER = html`<footer class="foot">`

/** Returns the footer of a page. */
export function pageFooter({ language }: PageView): Html {
  return html`${FOOTER}${language.t('footer')}</footer>`
}

/** Returns a page with more content before its footer. */
export function insertBeforeFooter(body: string, content: Html): string {
  return body.replace(FOOTER.toString(), () => `${content}${FOOTER}`)
}

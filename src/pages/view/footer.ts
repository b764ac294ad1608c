import { type Html, html } from '../markup/html.ts'
import type { PageView } from './page-view.ts'

/** Returns the footer of a page. */
export function pageFooter({ language }: PageView): Html {
  return html`<footer class="foot">${language.t('footer')}</footer>`
}

import { findCardByAlias } from '../../domain/test-cards.ts'
import { cachePerLanguage } from '../languages/language.ts'
import { type Html, html } from '../markup/html.ts'

/** Returns the note with the most common test cards and their outcomes. */
export const testCardsNote = cachePerLanguage(({ t, messages }): Html => {
  const rows = Object.entries(messages.outcomes).map(
    ([alias, outcome]) =>
      html`<dt>${outcome}</dt><dd><code dir="ltr">${formatCardNumber(findCardByAlias(alias)?.number)}</code></dd>
`,
  )
  return html`<details class="tests"><summary>${t('testCards')}</summary><p>${t('testCardsHow')}</p>
<dl>${rows}</dl></details>`
})

function formatCardNumber(number = ''): string {
  return number.replace(/\d{4}(?=\d)/g, '$& ')
}

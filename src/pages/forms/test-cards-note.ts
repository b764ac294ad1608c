import { findCardByAlias } from '../../domain/test-cards.ts'
import { perLanguage } from '../languages/language.ts'
import { type Html, html } from '../markup/html.ts'

/** The test cards a developer tries most, with what they do. */
export const testCards = perLanguage(({ say, messages }): Html => {
  const rows = Object.entries(messages.outcomes).map(
    ([alias, outcome]) =>
      html`<dt>${outcome}</dt><dd><code dir="ltr">${inFours(findCardByAlias(alias)?.number)}</code></dd>
`,
  )
  return html`<details class="tests"><summary>${say('testCards')}</summary><p>${say('testCardsHow')}</p>
<dl>${rows}</dl></details>`
})

function inFours(number = ''): string {
  return number.replace(/\d{4}(?=\d)/g, '$& ')
}

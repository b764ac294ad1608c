import { findCardByAlias } from '../../domain/cards/test-cards.ts'
import { cachePerLanguage, type Language } from '../languages/language.ts'
import type { TextKey } from '../languages/messages.ts'
import { createConstantHtml, type Html, html } from '../markup/html.ts'
import type { PageView } from './page-view.ts'

/** The card form of a page, which the outcome buttons of the test bar can submit. */
export interface TestBarForm {
  readonly action: string
  readonly token: string
  /** Whether the form submits the choice to keep the card. */
  readonly isKept: boolean
}

/** Returns the bar above the header: test mode, the test cards of a card form, and on local servers the related events. */
export function renderTestBar({ language, testBar }: PageView, form: TestBarForm | null): Html {
  const { t } = language
  const mode = html`${t('testMode')} — ${t('noMoneyMoves')}`
  const label = t('testMode')
  if (form === null && testBar === undefined)
    return html`<aside class="tests" aria-label="${label}"><p>${mode}</p></aside>`
  return html`<aside class="tests" aria-label="${label}"><details${testBar?.isOpen && html` open`}><summary>${mode} · <u>${t(form === null ? 'events' : 'testCards')}</u></summary>
<div>
${form && (testBar === undefined ? testCards(language) : outcomeForm(form, language))}
${testBar?.events}
</div></details></aside>`
}

const testCards = createOutcomeList('testCardsHow', (_, outcome) => html`<span>${outcome}</span>`)

// The outcome buttons have a separate form: in the card form, they would be the default buttons of the Enter key.
function outcomeForm({ action, token, isKept }: TestBarForm, language: Language): Html {
  return html`<form method="post" action="${action}"><input type="hidden" name="form_token" autocomplete="off" value="${token}">${isKept && html`<input type="hidden" name="keep" value="1">`}
${outcomeButtons(language)}</form>`
}

const outcomeButtons = createOutcomeList(
  'tryOutcome',
  (alias, outcome) => html`<button class="quiet" name="test_card" value="${alias}">${outcome}</button>`,
)

/** Creates the function that returns the list of test cards in a language, below a text. */
function createOutcomeList(text: TextKey, describe: (alias: string, outcome: string) => Html) {
  return cachePerLanguage(({ t, messages }): Html => {
    const rows = Object.entries(messages.outcomes).map(([alias, outcome]) => {
      const number = findCardByAlias(alias)?.number.replace(/\d{4}(?=\d)/g, '$& ')
      return html`<li>${describe(alias, outcome)} <code dir="ltr">${number}</code></li>
`
    })
    return createConstantHtml(html`<p>${t(text)}</p>
<ul>${rows}</ul>`)
  })
}

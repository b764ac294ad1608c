import { cachePerLanguage, getLanguageName, LANGUAGES } from '../languages/language.ts'
import { constantHtml, type Html, html } from '../markup/html.ts'
import { LANGUAGE_ELEMENT } from './assets.ts'
import { CHOSEN_LANGUAGE } from './links.ts'
import type { PageView } from './page-view.ts'

/** Returns the footer of a page: a note, and a form that shows the page in another language. */
export function pageFooter({ language, keptParams }: PageView): Html {
  const kept = keptParams.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
  return html`<footer class="foot">${language.t('footer')}<form>${kept}${languageField(language)}</form>${LANGUAGE_ELEMENT}</footer>`
}

/** Returns the select with every language under its own name, and its button. */
const languageField = cachePerLanguage(({ tag, t }) => {
  const [shown] = tag.split('-')
  const options = LANGUAGES.map(
    (one) =>
      html`<option value="${one}" lang="${one}"${one === shown && html` selected`}>${getLanguageName(one)}`,
  )
  return constantHtml(
    html`<label>${t('language')} <select name="${CHOSEN_LANGUAGE}">${options}</select></label> <button>${t('changeLanguage')}</button>`,
  )
})

import { cachePerLanguage, getLanguageName, LANGUAGES } from '../languages/language.ts'
import { createConstantHtml, type Html, type HtmlValue, html, isolateTextDirection } from '../markup/html.ts'
import { FORM_SCRIPT, LIVE_SCRIPT, PAGE_SCRIPT, PAGE_STYLE, renderFavicon } from './assets.ts'
import { createBrandStyle } from './brand-style.ts'
import { renderPageHeader } from './header.ts'
import { LANGUAGE_PARAM } from './links.ts'
import type { PageView } from './page-view.ts'
import { renderTestBar, type TestBarForm } from './test-bar.ts'

/** The content that differs between pages. */
export interface PageContent {
  /** The title in the browser tab. */
  readonly title: string
  readonly main: Html
  /** `split` places the order next to the form on wide screens; `sheet` is at the bottom of narrow screens. */
  readonly shape: 'split' | 'narrow' | 'sheet'
  readonly hasForm?: boolean
  /** The card form that the test bar can submit. */
  readonly testable?: TestBarForm | null
  /** The page that the browser opens automatically. */
  readonly refresh?: PageRefresh
}

/** An automatic navigation: immediate when `afterSeconds` is 0, otherwise repeated until the server returns another page. */
export interface PageRefresh {
  readonly url: string
  readonly afterSeconds: number
}

const MAX_SHOWN_CHARACTERS = 160

/** Returns the complete HTML document of a page. */
export function renderDocument(content: PageContent, view: PageView): Html {
  const { title, main, shape, hasForm = false, testable = null, refresh } = content
  const { brand, language } = view
  const { tag, direction } = language
  // The form-action 'self' policy also applies to a redirect after a POST. A refresh is a new navigation and may leave
  // the origin.
  const refreshTag =
    refresh && html`<meta http-equiv="refresh" content="${refresh.afterSeconds}; url=${refresh.url}">`
  // The script replaces the refresh, so that screen readers do not read an unchanged page repeatedly.
  const polling = refresh !== undefined && refresh.afterSeconds > 0 ? refresh : null
  return html`<!doctype html>
<html lang="${tag}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${polling === null ? refreshTag : html`<noscript>${refreshTag}</noscript>`}
${PAGE_STYLE.element}${brand.color && createBrandStyle(brand.color).element}
${renderFavicon(brand.logo)}
</head>
<body class="${shape}"${hasForm && formTexts(view.language)}${polling && html` data-next="${polling.url}" data-every="${polling.afterSeconds}"`}>
${renderTestBar(view, testable)}
${renderPageHeader(view)}
<main>
${main}
</main>
${pageFooter(view)}
${hasForm && FORM_SCRIPT.element}
${(polling ?? view.testBar) && LIVE_SCRIPT.element}
</body>
</html>
`
}

/** Returns text from a merchant, truncated to 160 characters. */
export function renderTruncatedText(text: string): Html {
  const characters = [...text]
  if (characters.length <= MAX_SHOWN_CHARACTERS) return isolateTextDirection(text)
  return isolateTextDirection(`${characters.slice(0, MAX_SHOWN_CHARACTERS).join('').trimEnd()}…`)
}

/** Returns a list of names and values, for example `Amount` and `€12.50`. Skips null entries. */
export function renderDetailList(pairs: readonly (readonly [name: string, value: HtmlValue] | null)[]): Html {
  const rows = pairs.flatMap((pair) =>
    pair === null ? [] : [html`<div><dt>${pair[0]}</dt><dd>${pair[1]}</dd></div>`],
  )
  return html`<dl class="details">${rows}</dl>`
}

/** Returns the body attributes with the texts that the form script shows. */
const formTexts = cachePerLanguage(
  ({ t }) =>
    html` data-working="${t('working')}" data-done="${t('done')}" data-lost="${t('connectionLost')}" data-how="${t('connectionLostHow')}" data-again="${t('tryAgain')}"`,
)

/** Returns the footer of a page: a note, and a form that changes the language of the page. */
function pageFooter({ language, keptParams }: PageView): Html {
  const kept = keptParams.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
  return html`<footer class="foot">${language.t('footer')}<form>${kept}${languageField(language)}</form>${PAGE_SCRIPT.element}</footer>`
}

/** Returns the language select, with each language under its own name, and its button. */
const languageField = cachePerLanguage(({ tag, t }) => {
  const [shown] = tag.split('-')
  const options = LANGUAGES.map(
    (one) =>
      html`<option value="${one}" lang="${one}"${one === shown && html` selected`}>${getLanguageName(one)}`,
  )
  return createConstantHtml(
    html`<label>${t('language')} <select name="${LANGUAGE_PARAM}">${options}</select></label> <button>${t('changeLanguage')}</button>`,
  )
})
